import type { Assumptions } from "../assumptions/assumptions.ts";
import { sleep } from "../clock/timers.ts";
import { ActiveFaults, type Exchange, type Fault } from "../faults/faults.ts";
import { declaredStatus, mockFailure, notImplemented } from "../http/error-replies.ts";
import {
  type EncodedResponse,
  encodeResponse,
  type IncomingRequest,
  type Reply,
  reportFailure,
  splitAddress,
} from "../http/messages.ts";
import { Journal } from "../journal/journal.ts";
import { handlers, operations } from "../operations/index.ts";
import type { Identity, Input, RequestContext, Success } from "../operations/operation.ts";
import { IdGenerator } from "../state/ids.ts";
import type { State } from "../state/state.ts";
import { requireValid } from "../validation/body-schema.ts";
import { type Layer, throughLayer } from "./middleware.ts";
import { admit, identify, operationChecks, readBytes, requestChecks, UnreadableBody } from "./pipeline.ts";
import { routesOf } from "./routes.ts";

/** Responds to requests: applies faults, runs the checks and the operation, and records every request in the journal. */
export class RequestHandler {
  readonly faults: ActiveFaults;
  readonly journal: Journal;
  readonly #state: State;
  readonly #assumptions: Assumptions;
  readonly #prefixes: readonly string[];
  readonly #layer: Layer | undefined;
  #life = new AbortController();

  /** @param warn Receives a warning for each ignored field. */
  constructor(
    state: State,
    assumptions: Assumptions,
    baseUrls: readonly string[],
    layer: Layer | undefined,
    warn: false | ((message: string) => void),
  ) {
    this.#layer = layer;
    this.#state = state;
    this.#assumptions = assumptions;
    const prefixes = baseUrls.map((url) => new URL(url).pathname).filter((path) => path !== "/");
    this.#prefixes = prefixes.toSorted((one, other) => other.length - one.length);
    this.journal = new Journal(state, warn);
    this.faults = new ActiveFaults(new IdGenerator(state.ids.fraction() * 2 ** 31));
  }

  /**
   * Handles a request, and records it unless it is a preflight. An error of the mock becomes a 500; the method throws only when
   * the client has disconnected, its body cannot be read, or the state ends while a fault holds the request.
   */
  async handle(request: IncomingRequest): Promise<Exchange> {
    if (!this.#layer) return this.#answer(request);
    const { life } = this;
    try {
      return await throughLayer(this.#layer, request, this.#assumptions.maxBodyBytes, (changed) =>
        this.#answer(changed),
      );
    } catch (error) {
      if (life.aborted) throw error;
      return recover(error, this.#receive(request));
    }
  }

  async #answer(request: IncomingRequest): Promise<Exchange> {
    const context = this.#receive(request);
    const allowed = corsHeaders(request, this.#assumptions);
    const preflight = context.contract && preflightReply(request, allowed);
    if (preflight) return encode(context, preflight);
    const exchange = await this.#process(context);
    return { ...exchange, headers: { ...allowed, ...exchange.headers } };
  }

  /**
   * Aborts when the state ends. A request that a fault still holds then never gets a response. In process, its promise never
   * settles, because the client would send the request again to the next test; elsewhere its connection is closed.
   */
  get life(): AbortSignal {
    return this.#life.signal;
  }

  /** Ends the requests that faults hold, so that they neither keep the process alive nor reach another state. */
  endLife(): void {
    this.#life.abort();
    this.#life = new AbortController();
  }

  /** Creates the context of a request. Throws only when releases follow a clock that fails. */
  #receive(request: IncomingRequest): RequestContext {
    const [state, assumptions] = [this.#state, this.#assumptions];
    state.catchUp();
    const address = splitAddress(request.url, this.#prefixes);
    const contract = state.versions.contracts.get(request.headers.get("service-version") ?? state.versions.current);
    const match = contract && routesOf(contract).find(request.method, address.path);
    let identity: Identity | undefined;
    const context: RequestContext = {
      ...{ state, assumptions, request, address, contract, receivedAt: 0 },
      match,
      identity: () => (identity ??= identify(context)),
      ignored: new Set(),
    };
    return context;
  }

  async #process(context: RequestContext): Promise<Exchange> {
    const started = performance.now();
    const { life } = this;
    const { request } = context;
    let fault: Fault | undefined;
    let response: EncodedResponse;
    try {
      context.receivedAt = this.#state.clock.now();
      fault = this.faults.apply(context.match?.route.operation.id);
      if (isReplaced(fault)) {
        if (request.body !== null) await readBytes(context, Number.POSITIVE_INFINITY);
        response = responseOf(fault, context);
      } else {
        let reply: Reply | undefined;
        // Once nothing waits, the request is handled and recorded in one turn: no reset comes in between.
        for (const check of requestChecks) {
          const outcome = check(context);
          reply = outcome instanceof Promise ? await outcome : outcome;
          if (reply) break;
        }
        response = reply ? encode(context, reply) : this.#perform(context);
      }
    } catch (error) {
      response = recover(error, context);
    }
    this.journal.add({ ...response, context, fault }, performance.now() - started);
    if (fault?.delay) await sleep(fault.delay, request.signal, life);
    return fault?.kind === undefined ? response : { ...response, loss: fault.kind };
  }

  /** Performs the operation. If it throws, or its response cannot be encoded, the state stays unchanged. */
  #perform(context: RequestContext): EncodedResponse {
    const admitted = admit(context);
    if ("status" in admitted) return encode(context, admitted);
    const input: Input = { query: {}, body: undefined };
    for (const check of operationChecks) {
      const reply = check(admitted, input);
      if (reply) return encode(context, reply);
    }
    const { id } = admitted.match.route.operation;
    const outcome = handlers.get(id)?.handle(admitted, input) ?? notImplemented(id, Object.keys(operations));
    const response = encode(context, outcome);
    if ("data" in outcome) outcome.commit?.();
    return response;
  }
}

function recover(error: unknown, context: RequestContext): EncodedResponse {
  if (error instanceof UnreadableBody) throw error.cause;
  const { request, address } = context;
  if (request.signal.aborted) throw error;
  reportFailure(`on ${request.method} ${address.path} and responded with 500.`, error);
  return encode(context, mockFailure(error));
}

/** Whether a fault responds instead of the operation. */
function isReplaced(fault: Fault | undefined): fault is Fault {
  return fault !== undefined && fault.kind !== "truncated" && (fault.kind ?? fault.status) !== undefined;
}

/** Returns the response that a fault sends instead of the operation's. Its headers replace the usual ones, in any case. */
function responseOf({ status = 503, body, headers, retryAfter }: Fault, context: RequestContext): EncodedResponse {
  const version = versionOf(context);
  const isText = typeof body === "string";
  const usual = {
    "service-version": version,
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    ...(body !== undefined && { "content-type": isText ? "text/plain;charset=UTF-8" : "application/json" }),
  };
  const given = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const text = body === undefined || isText ? body : JSON.stringify(body);
  return { status, headers: { ...usual, ...Object.fromEntries(given) }, body: text };
}

/**
 * Returns the value of `Service-Version` in the response: the version that processed the request, or Current if the
 * request asked for an unsupported one (specification, section 9.3; G-404-VER).
 */
function versionOf({ contract, state }: RequestContext): string {
  return contract?.version ?? state.versions.current;
}

/** Encodes the response to a request. */
function encode(context: RequestContext, reply: Reply | Success): EncodedResponse {
  const version = versionOf(context);
  const operation = context.match?.route.operation;
  if ("data" in reply) {
    const { status = 200, body } = operation?.response ?? {};
    return encodeResponse(
      status,
      body && reply.data && JSON.stringify(requireValid(body, reply.data, "The response")),
      version,
    );
  }
  const text = reply.body === undefined ? undefined : JSON.stringify(reply.body);
  const status = reply.isDeclared && operation ? declaredStatus(reply, operation) : reply.status;
  return encodeResponse(status, text, version, reply.headers);
}

/** The response headers that pages of other origins may read, in addition to the safe ones. */
const EXPOSED = "Service-Version, Retry-After, WWW-Authenticate";

/**
 * Returns the headers that say which origins may read a response (Fetch standard; G-CORS). Names are in lower case so that a
 * fault's headers can replace them. If `cors` is a list of origins, `Vary` tells caches that the response depends on the origin.
 */
function corsHeaders({ headers }: IncomingRequest, { cors }: Assumptions): Record<string, string> {
  if (cors.length === 0) return {};
  if (cors === "*") return { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED };
  const origin = headers.get("origin");
  if (origin === null || !cors.includes(origin)) return { vary: "Origin" };
  return { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED, vary: "Origin" };
}

/** Returns the response to a preflight request of an allowed origin; undefined for any other request. */
function preflightReply({ method, headers }: IncomingRequest, allowed: Record<string, string>): Reply | undefined {
  if (method !== "OPTIONS" || allowed["access-control-allow-origin"] === undefined) return undefined;
  if (headers.get("access-control-request-method") === null || headers.get("origin") === null) return undefined;
  const names = headers.get("access-control-request-headers");
  return {
    status: 204,
    headers: {
      ...allowed,
      "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
      ...(names !== null && { "Access-Control-Allow-Headers": names }),
      "Access-Control-Max-Age": "600",
    },
  };
}
