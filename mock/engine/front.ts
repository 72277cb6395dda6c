import type { Fault } from "../faults/fault.ts";
import { ArmedFaults } from "../faults/faults.ts";
import { Recorder } from "../journal/recorder.ts";
import type { Identity } from "../state/identity.ts";
import { sleep } from "../time/sleep.ts";
import { answerOf } from "./encode.ts";
import type { Exchange, IncomingRequest } from "./exchange.ts";
import { failureReply, report } from "./failure.ts";
import type { Answered, Service } from "./service.ts";

/** What stands in front of the service: the faults that strike, and the journal that sees everything. */
export class Front {
  readonly faults: ArmedFaults;
  readonly requests: Recorder;
  readonly #service: Service;

  /**
   * @param identity Draws for the faults, apart from the one that the state uses.
   * @param operations The identifiers of the operations that there are.
   */
  constructor(service: Service, identity: Identity, operations: () => ReadonlySet<string>) {
    this.#service = service;
    this.requests = new Recorder(operations);
    this.faults = new ArmedFaults(identity);
  }

  /**
   * Answers a request, or fails as a fault says, and keeps a record of it. Whatever goes wrong on the way becomes a 500:
   * it throws only where the client has gone away, or its body cannot be read.
   */
  answer(request: IncomingRequest): Answered | Promise<Answered> {
    const started = performance.now();
    const exchange = this.#service.receive(request);
    try {
      const answered = this.#answer(exchange);
      if (!(answered instanceof Promise)) return this.#record(answered, started);
      return answered.then(
        (later) => this.#record(later, started),
        (error) => this.#record(this.#recover(error, exchange), started),
      );
    } catch (error) {
      return this.#record(this.#recover(error, exchange), started);
    }
  }

  #answer(exchange: Exchange): Answered | Promise<Answered> {
    this.#service.begin(exchange);
    const fault = this.faults.quiet ? undefined : this.#strike(exchange);
    return fault ? this.#fail(fault, exchange) : this.#service.process(exchange);
  }

  #recover(error: unknown, exchange: Exchange): Answered {
    if (exchange.reading || exchange.request.signal.aborted) throw error;
    report(error, exchange);
    return this.#service.finish(exchange, failureReply(error));
  }

  #record(answered: Answered, started: number): Answered {
    this.requests.record(answered, performance.now() - started);
    return answered;
  }

  #strike(exchange: Exchange): Fault | undefined {
    this.#service.locate(exchange);
    return this.faults.strike(exchange.route?.operation.id);
  }

  async #fail({ id, delay = 0, status, kind, retryAfter }: Fault, exchange: Exchange): Promise<Answered> {
    if (delay > 0) await sleep(delay, exchange.request.signal);
    if (kind === "truncated") return { ...(await this.#service.process(exchange)), fault: id, loss: kind };
    if (kind === undefined && status === undefined) return { ...(await this.#service.process(exchange)), fault: id };
    if (exchange.request.body !== null) await readWhole(exchange);
    if (kind === "malformed") return { ...malformed(exchange), fault: id };
    const headers = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
    const answered = this.#service.finish(exchange, { status: status ?? 503, headers });
    return kind === undefined ? { ...answered, fault: id } : { ...answered, fault: id, loss: kind };
  }
}

async function readWhole(exchange: Exchange): Promise<void> {
  exchange.reading = true;
  exchange.text = await exchange.request.text();
  exchange.reading = false;
}

function malformed(exchange: Exchange): Answered {
  const json = "<!doctype html><title>Something else answered</title>";
  const status = exchange.route?.operation.response.status ?? 200;
  return { exchange, ...answerOf(status, json, exchange.contract?.version, undefined) };
}
