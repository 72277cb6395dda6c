import { splitAddress } from "../http/address.ts";
import { type EncodedResponse, encodeResponse } from "../http/encoded-response.ts";
import { declaredStatus } from "../http/error-response.ts";
import type { IncomingRequest } from "../http/incoming-request.ts";
import type { Reply } from "../http/reply.ts";
import { handlerOf, operations } from "../operations/index.ts";
import type { Success } from "../operations/operation-handler.ts";
import type { OperationContext, RequestContext, Route } from "../operations/request-context.ts";
import type { State } from "../state/state.ts";
import type { EnginePolicy } from "./engine-policy.ts";
import type { HandledRequest } from "./handled-request.ts";
import { pick } from "./pick.ts";
import { type Check, checks } from "./pipeline.ts";
import { routesOf } from "./routes.ts";

/** Processes requests: the checks of the pipeline, then the operation. */
export class Service {
  readonly #state: State;
  readonly #policy: EnginePolicy;
  readonly #prefixes: readonly string[];

  constructor(state: State, policy: EnginePolicy, baseUrls: readonly string[]) {
    this.#state = state;
    this.#policy = policy;
    this.#prefixes = baseUrls.filter((url) => new URL(url).pathname !== "/");
  }

  /** Creates the context of a request. Never throws. */
  receive(request: IncomingRequest): RequestContext {
    const { baseUrl, path, search } = splitAddress(request.url, this.#prefixes);
    const { versions } = this.#state;
    const versionAsked = request.headers.get("service-version");
    return {
      state: this.#state,
      policy: this.#policy,
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

  /** Reads the clock for a request. */
  begin(context: RequestContext): void {
    context.receivedAt = this.#state.clock.now();
  }

  /** Finds the operation of a request without checking anything. */
  locate(context: RequestContext): void {
    const match = context.contract && routesOf(context.contract).find(context.method, context.path);
    if (match) context.route = match.route;
  }

  /** Runs the pipeline and the operation. The result is a promise only when a check has to wait. */
  process(context: RequestContext): HandledRequest | Promise<HandledRequest> {
    return this.#processFrom(0, context);
  }

  #processFrom(first: number, context: RequestContext): HandledRequest | Promise<HandledRequest> {
    for (let place = first; place < checks.length; place++) {
      const outcome = (checks[place] as Check)(context, this.#policy);
      if (outcome === undefined) continue;
      if (!(outcome instanceof Promise)) return this.finish(context, outcome);
      return outcome.then((reply) => (reply ? this.finish(context, reply) : this.#processFrom(place + 1, context)));
    }
    return this.#perform(context as OperationContext);
  }

  /** Performs the operation. Unless it succeeds and its response can be encoded, the state stays unchanged. */
  #perform(context: OperationContext): HandledRequest {
    let isDone = false;
    return this.#state.transact(
      () => {
        const { id } = context.route.operation;
        const outcome = handlerOf(id)?.handle(context) ?? notImplemented(id);
        const response = this.finish(context, outcome);
        if (!("data" in outcome)) return response;
        outcome.commit?.();
        isDone = true;
        return response;
      },
      () => isDone,
    );
  }

  /**
   * Returns the value of `Service-Version` in the response: the version that processed the request, or Current if the
   * request asked for an unsupported one (specification, section 9.3; G-404-VER).
   */
  versionOf({ contract, state, policy }: RequestContext): string | undefined {
    if (contract) return contract.version;
    return policy.unsupportedVersion.serviceVersion === "current" ? state.versions.current : undefined;
  }

  /** Encodes the response to a request. */
  finish(context: RequestContext, reply: Reply | Success): HandledRequest {
    const version = this.versionOf(context);
    if ("data" in reply) {
      const { status, body } = (context.route as Route).operation.response;
      const json = pick(reply.data, body);
      return handled(context, encodeResponse(reply.status ?? status, json, version, undefined));
    }
    const json = reply.body === undefined ? undefined : JSON.stringify(reply.body);
    const { operation } = context.route ?? {};
    const status = reply.isDeclared && operation ? declaredStatus(reply, operation) : reply.status;
    return handled(context, encodeResponse(status, json, version, reply.headers));
  }
}

/** Adds the request to its response. Naming the fields takes less time than a spread, and every request needs it. */
function handled(context: RequestContext, { status, headers, json }: EncodedResponse): HandledRequest {
  return { context, status, headers, json };
}

/** Returns a 501 for an operation that only a given contract has. */
function notImplemented(id: string): Reply {
  const known = Object.keys(operations).join(", ");
  const detail = `The mock does not implement the operation "${id}" from your contract. It implements: ${known}.`;
  return { status: 501, body: { error: "NotImplemented", detail } };
}
