import type { Assumptions } from "../assumptions/assumptions.ts";
import type { Loss } from "../faults/lost.ts";
import { behaviours, type Success } from "../operations/index.ts";
import type { Credential } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { addressOf } from "./address.ts";
import { type Answer, answerOf, cut } from "./encode.ts";
import type { Exchange, IncomingRequest, Reply } from "./exchange.ts";
import { inOrder } from "./order.ts";
import { RateCounter } from "./rate-counter.ts";
import { declaredStatus } from "./refusals.ts";
import { routesOf } from "./routes.ts";
import type { Check, Surroundings } from "./steps.ts";

/** A request and its answer, with everything that the service found out on the way. */
export interface Answered extends Answer {
  readonly exchange: Exchange;
  /** The fault that struck. */
  readonly fault?: string;
  /** How the answer gets lost on its way to the client: the door's part of a fault. */
  readonly loss?: Loss;
}

/** The service: from a request to its answer, and nothing else. */
export class Service {
  readonly #state: State;
  readonly #assumptions: Assumptions;
  readonly #prefixes: readonly string[];
  readonly #checks: readonly Check[];
  readonly #rates = new RateCounter();
  readonly #around: Surroundings;

  constructor(state: State, assumptions: Assumptions, baseUrls: readonly string[]) {
    this.#state = state;
    this.#assumptions = assumptions;
    this.#prefixes = baseUrls.filter((url) => new URL(url).pathname !== "/");
    this.#checks = inOrder(assumptions.order);
    this.#around = { state, assumptions, rates: this.#rates };
  }

  /** Forgets how many requests each credential has made. */
  forgetRates(): void {
    this.#rates.clear();
  }

  /** Takes a request in. It never throws. */
  receive(request: IncomingRequest): Exchange {
    return {
      request,
      method: request.method,
      ...addressOf(request.url, this.#prefixes),
      receivedAt: 0,
      versionAsked: request.headers.get("service-version"),
    };
  }

  /** Reads the clock for a request. */
  begin(exchange: Exchange): void {
    exchange.receivedAt = this.#state.clock();
  }

  /** Answers it: every check in its order, then what the operation does, then the answer in the version's shape. */
  process(exchange: Exchange): Answered | Promise<Answered> {
    return this.#processFrom(0, exchange);
  }

  /** Finds the version and the operation that a request is meant for, without checking anything. */
  locate(exchange: Exchange): void {
    const { versions } = this.#state;
    const contract = versions.contracts.get(exchange.versionAsked ?? versions.current);
    if (!contract) return;
    exchange.contract = contract;
    const match = routesOf(contract).find(exchange.method, exchange.path);
    if (match) exchange.route = match.route;
  }

  /** Waits only where a check has to: an answer that needs no body is there at once. */
  #processFrom(first: number, exchange: Exchange): Answered | Promise<Answered> {
    for (let place = first; place < this.#checks.length; place++) {
      const outcome = (this.#checks[place] as Check)(exchange, this.#around);
      if (outcome === undefined) continue;
      if (!(outcome instanceof Promise)) return this.finish(exchange, outcome);
      return outcome.then((reply) => (reply ? this.finish(exchange, reply) : this.#processFrom(place + 1, exchange)));
    }
    return this.#carryOut(exchange);
  }

  /** Does what the operation does. Unless it succeeds and its answer can be written, the state stays as it was. */
  #carryOut(exchange: Exchange): Answered {
    let success = false;
    return this.#state.transact(
      () => {
        const outcome = this.#behave(exchange);
        success = "data" in outcome;
        return this.finish(exchange, outcome);
      },
      () => success,
    );
  }

  #behave(exchange: Exchange): Reply | Success {
    const { operation } = exchange.route as NonNullable<Exchange["route"]>;
    const behaviour = behaviours[operation.id];
    if (!behaviour) return { status: 501, body: { detail: `The mock has no behaviour for ${operation.id}.` } };
    return behaviour({
      state: this.#state,
      assumptions: this.#assumptions,
      contract: exchange.contract as NonNullable<Exchange["contract"]>,
      credential: exchange.credential as Credential,
      path: exchange.pathParameters ?? {},
      query: exchange.query,
      body: exchange.body,
      receivedAt: exchange.receivedAt,
      baseUrl: exchange.baseUrl,
    });
  }

  /** Writes an answer down. */
  finish(exchange: Exchange, reply: Reply | Success): Answered {
    const version = exchange.contract?.version;
    if ("data" in reply) {
      const { status, body } = (exchange.route as NonNullable<Exchange["route"]>).operation.response;
      const json = cut(reply.data, body);
      return { exchange, ...answerOf(reply.status ?? status, json, version, undefined) };
    }
    const json = reply.body === undefined ? undefined : JSON.stringify(reply.body);
    const { operation } = exchange.route ?? {};
    const status = reply.isDeclared && operation ? declaredStatus(reply, operation) : reply.status;
    return { exchange, ...answerOf(status, json, version, reply.headers) };
  }
}
