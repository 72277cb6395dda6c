import type { Schema } from "../../src/contract/index.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import { keepProcessAlive, rejectOnAbort, sleep } from "../clock/timers.ts";
import { ActiveFaults } from "../faults/active-faults.ts";
import type { Fault } from "../faults/fault.ts";
import type { ResponseLoss } from "../faults/lose-response.ts";
import { declaredStatus } from "../http/error-response.ts";
import { type IncomingRequest, splitAddress } from "../http/request.ts";
import { type EncodedResponse, encodeResponse, mockFailure, type Reply, reportFailure } from "../http/response.ts";
import { Journal } from "../journal/journal.ts";
import { handlers, operations } from "../operations/index.ts";
import type { OperationContext, RequestContext, Route, Success } from "../operations/operation.ts";
import { IdGenerator } from "../state/ids.ts";
import type { State } from "../state/state.ts";
import { requireValid } from "../validation/body-schema.ts";
import { checks, findRoute, type RequestCheck } from "./pipeline.ts";

/** A request and its response, with everything that the service found out about the request. */
export interface Exchange extends EncodedResponse {
  readonly context: RequestContext;
  /** The way in which the adapter loses the response. */
  readonly loss?: ResponseLoss;
}

/** Responds to requests: applies faults, runs the checks and the operation, and records every request in the journal. */
export class RequestHandler {
  readonly faults: ActiveFaults;
  readonly requests: Journal;
  readonly #state: State;
  readonly #assumptions: Assumptions;
  readonly #prefixes: readonly string[];
  #life = new AbortController();

  /**
   * @param operations Returns the ids of all operations.
   */
  constructor(
    state: State,
    assumptions: Assumptions,
    baseUrls: readonly string[],
    operations: () => ReadonlySet<string>,
  ) {
    this.#state = state;
    this.#assumptions = assumptions;
    const prefixes = baseUrls.filter((url) => new URL(url).pathname !== "/");
    this.#prefixes = prefixes.toSorted((one, other) => other.length - one.length);
    this.requests = new Journal(operations);
    this.faults = new ActiveFaults(new IdGenerator(state.ids.fraction() * 2 ** 31));
  }

  /**
   * Handles a request and records it. An error of the mock becomes a 500; the method throws only when the client has
   * disconnected, its body cannot be read, or the state ends while a fault holds the request.
   */
  async handle(request: IncomingRequest): Promise<Exchange> {
    const started = performance.now();
    const context = this.#receive(request);
    const { life } = this;
    let fault: Fault | undefined;
    let handled: Exchange;
    try {
      findRoute(context);
      context.receivedAt = this.#state.clock.now();
      fault = this.faults.apply(context.route?.operation.id);
      if (fault) context.fault = fault;
      let reply: Reply | undefined;
      // Once nothing waits, the request is handled and recorded in one turn: no reset comes in between.
      for (const check of isReplaced(fault) ? [readBody] : checks) {
        const outcome = check(context, this.#assumptions);
        reply = outcome instanceof Promise ? await outcome : outcome;
        if (reply) break;
      }
      if (reply) handled = encode(context, reply);
      else handled = isReplaced(fault) ? failedBy(fault, context) : this.#perform(context as OperationContext);
    } catch (error) {
      handled = this.#recover(error, context);
    }
    this.requests.add(handled, performance.now() - started);
    if (fault?.delay) await sleep(fault.delay, request.signal, life);
    const kind = fault?.kind;
    if (kind === undefined || kind === "malformed") return handled;
    if (kind !== "timeout") return { ...handled, loss: kind };
    // A socket would keep the process alive. The signal of a request that is garbage does not abort.
    return rejectOnAbort(request.signal, life).finally(keepProcessAlive(request));
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

  /** Encodes a response to a request that is not recorded. */
  respond(request: IncomingRequest, reply: Reply): Exchange {
    return encode(this.#receive(request), reply);
  }

  /** Creates the context of a request. Never throws. */
  #receive(request: IncomingRequest): RequestContext {
    const { baseUrl, path, search } = splitAddress(request.url, this.#prefixes);
    const { versions } = this.#state;
    const versionAsked = request.headers.get("service-version");
    return {
      state: this.#state,
      assumptions: this.#assumptions,
      request,
      method: request.method,
      baseUrl,
      path,
      search,
      receivedAt: 0,
      versionAsked,
      contract: versions.contracts.get(versionAsked ?? versions.current),
    };
  }

  #recover(error: unknown, context: RequestContext): Exchange {
    if (context.isWaiting || context.request.signal.aborted) throw error;
    reportFailure(`on ${context.method} ${context.path} and responded with 500.`, error);
    return encode(context, mockFailure(error));
  }

  /** Performs the operation. If it throws, or its response cannot be encoded, the state stays unchanged. */
  #perform(context: OperationContext): Exchange {
    return this.#state.transact(() => {
      const { id } = context.route.operation;
      const outcome = handlers.get(id)?.handle(context) ?? notImplemented(id);
      const response = encode(context, outcome);
      if ("data" in outcome) outcome.commit?.();
      return response;
    });
  }
}

/** Whether a fault responds instead of the operation. */
function isReplaced(fault: Fault | undefined): fault is Fault {
  return fault !== undefined && fault.kind !== "truncated" && (fault.kind ?? fault.status) !== undefined;
}

/** Reads the body, if there is one, of a request whose operation does not run: the journal records it. */
const readBody: RequestCheck = (context) => (context.request.body === null ? undefined : readText(context));

async function readText(context: RequestContext): Promise<undefined> {
  context.isWaiting = true;
  context.text = new TextDecoder().decode(await context.request.arrayBuffer());
  context.isWaiting = false;
}

/** Returns the response of a fault to a request whose operation does not run. */
function failedBy(fault: Fault, context: RequestContext): Exchange {
  const version = versionOf(context);
  if (fault.kind !== "malformed") return { context, ...responseOf(fault, version) };
  const status = context.route?.operation.response.status ?? 200;
  const html = "<!doctype html><title>Something else handled</title>";
  return { context, ...encodeResponse(status, html, version, undefined) };
}

/** Returns the response that a fault sends. Its headers replace the usual ones, in any case. */
function responseOf({ status = 503, body, headers, retryAfter }: Fault, version: string | undefined): EncodedResponse {
  const isText = typeof body === "string";
  const usual = {
    ...(version !== undefined && { "service-version": version }),
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    ...(body !== undefined && { "content-type": isText ? "text/plain;charset=UTF-8" : "application/json" }),
  };
  const given = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const json = body === undefined || isText ? body : JSON.stringify(body);
  return { status, headers: { ...usual, ...Object.fromEntries(given) }, json };
}

/**
 * Returns the value of `Service-Version` in the response: the version that processed the request, or Current if the
 * request asked for an unsupported one (specification, section 9.3; G-404-VER).
 */
function versionOf({ contract, state, assumptions }: RequestContext): string | undefined {
  if (contract) return contract.version;
  return assumptions.unsupportedVersionHeader === "current" ? state.versions.current : undefined;
}

/** Encodes the response to a request. */
function encode(context: RequestContext, reply: Reply | Success): Exchange {
  const version = versionOf(context);
  if ("data" in reply) {
    const { status, body } = (context.route as Route).operation.response;
    const json = pick(reply.data, body);
    return { context, ...encodeResponse(reply.status ?? status, json, version, undefined) };
  }
  const json = reply.body === undefined ? undefined : JSON.stringify(reply.body);
  const { operation } = context.route ?? {};
  const status = reply.isDeclared && operation ? declaredStatus(reply, operation) : reply.status;
  return { context, ...encodeResponse(status, json, version, reply.headers) };
}

/** Returns a 501 for an operation that only a given contract has. */
function notImplemented(id: string): Reply {
  const known = Object.keys(operations).join(", ");
  const detail = `The mock does not implement the operation "${id}" from your contract. It implements: ${known}.`;
  return { status: 501, body: { error: "NotImplemented", detail } };
}

const encoded = new WeakMap<object, { readonly schema: Schema; readonly json: string }>();

/**
 * Returns a canonical record as JSON, with only the fields that a version's schema defines. Records never change in
 * place, so the last JSON of each record is cached.
 *
 * @throws TypeError if the record does not match the schema.
 */
function pick(record: object, schema: Schema): string {
  const cached = encoded.get(record);
  if (cached?.schema === schema) return cached.json;
  const json = JSON.stringify(requireValid(schema, record, "The response"));
  encoded.set(record, { schema, json });
  return json;
}
