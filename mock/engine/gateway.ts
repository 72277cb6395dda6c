import { ArmedFaults } from "../faults/armed-faults.ts";
import type { Fault } from "../faults/fault.ts";
import { type EncodedResponse, encodeResponse } from "../http/encoded-response.ts";
import type { IncomingRequest } from "../http/incoming-request.ts";
import { mockFailure, reportFailure } from "../http/mock-failure.ts";
import { Recorder } from "../journal/recorder.ts";
import type { RequestContext } from "../operations/request-context.ts";
import type { IdGenerator } from "../state/id-generator.ts";
import { sleep } from "../time/sleep.ts";
import type { HandledRequest } from "./handled-request.ts";
import type { Service } from "./service.ts";

/** Passes requests to the service: applies faults before it, and records every request in the journal. */
export class Gateway {
  readonly faults: ArmedFaults;
  readonly requests: Recorder;
  readonly #service: Service;

  /**
   * @param ids The source of randomness for faults, separate from that of the state.
   * @param operations Returns the ids of all operations.
   */
  constructor(service: Service, ids: IdGenerator, operations: () => ReadonlySet<string>) {
    this.#service = service;
    this.requests = new Recorder(operations);
    this.faults = new ArmedFaults(ids);
  }

  /**
   * Handles a request and records it. An error of the mock becomes a 500; the method throws only when the client has
   * disconnected or its body cannot be read.
   */
  handle(request: IncomingRequest): HandledRequest | Promise<HandledRequest> {
    const started = performance.now();
    const context = this.#service.receive(request);
    try {
      const handled = this.#handle(context);
      if (!(handled instanceof Promise)) return this.#record(handled, started);
      return handled.then(
        (later) => this.#record(later, started),
        (error) => this.#record(this.#recover(error, context), started),
      );
    } catch (error) {
      return this.#record(this.#recover(error, context), started);
    }
  }

  #handle(context: RequestContext): HandledRequest | Promise<HandledRequest> {
    this.#service.begin(context);
    const fault = this.faults.isEmpty ? undefined : this.#strike(context);
    return fault ? this.#fail(fault, context) : this.#service.process(context);
  }

  #recover(error: unknown, context: RequestContext): HandledRequest {
    if (context.reading || context.request.signal.aborted) throw error;
    reportFailure(error, context);
    return this.#service.finish(context, mockFailure(error));
  }

  #record(handled: HandledRequest, started: number): HandledRequest {
    this.requests.record(handled, performance.now() - started);
    return handled;
  }

  #strike(context: RequestContext): Fault | undefined {
    this.#service.locate(context);
    return this.faults.strike(context.route?.operation.id);
  }

  async #fail(fault: Fault, context: RequestContext): Promise<HandledRequest> {
    const { id, delay = 0, status, kind } = fault;
    if (delay > 0) await sleep(delay, context.request.signal);
    if (kind === "truncated") return { ...(await this.#service.process(context)), fault: id, loss: kind };
    if (kind === undefined && status === undefined) return { ...(await this.#service.process(context)), fault: id };
    if (context.request.body !== null) await readWhole(context);
    if (kind === "malformed") return { ...this.#malformed(context), fault: id };
    const handled = { context, ...answerOf(fault, this.#service.versionOf(context)), fault: id };
    return kind === undefined ? handled : { ...handled, loss: kind };
  }

  #malformed(context: RequestContext): HandledRequest {
    const json = "<!doctype html><title>Something else handled</title>";
    const status = context.route?.operation.response.status ?? 200;
    return { context, ...encodeResponse(status, json, this.#service.versionOf(context), undefined) };
  }
}

async function readWhole(context: RequestContext): Promise<void> {
  context.reading = true;
  context.text = await context.request.text();
  context.reading = false;
}

/** Returns the response that a fault sends. Its headers replace the usual ones, in any case. */
function answerOf({ status = 503, body, headers, retryAfter }: Fault, version: string | undefined): EncodedResponse {
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
