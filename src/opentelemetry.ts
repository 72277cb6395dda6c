/**
 * Spans and metrics of calls and of event buffers, for OpenTelemetry. Needs `@opentelemetry/api`.
 *
 * @module opentelemetry
 */
import {
  type Attributes,
  context,
  type Histogram,
  type Link,
  type Meter,
  metrics,
  propagation,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { CallFacts, Hooks, Outcome } from "./client/options.ts";
import type { Contract } from "./contract/index.ts";
import { classifyFailure } from "./usage/classify-failure.ts";
import { uuidV7 } from "./usage/event.ts";
import {
  type BufferStats,
  createEventBuffer,
  type EventBuffer,
  type EventBufferOptions,
  type UsageClient,
  type UsageEvent,
} from "./usage/index.ts";
import { asError } from "./values/describe.ts";

/** Where spans and metrics are recorded. Both default to the global providers of `@opentelemetry/api`. */
export interface Telemetry {
  readonly tracer?: Tracer | undefined;
  readonly meter?: Meter | undefined;
}

/** The name of the tracer and of the meter. */
const NAME = "@billing-service/sdk";

/** Boundaries in seconds, as the semantic conventions of HTTP advise. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

function histogram(meter: Meter, name: string, description: string): Histogram {
  return meter.createHistogram(name, { description, unit: "s", advice: { explicitBucketBoundaries: SECONDS } });
}

/**
 * Creates hooks for `createClient` that record a span per call, within it a client span per attempt, and the metrics
 * `http.client.request.duration` (attempts) and `billing.client.retries` (by `error.type`). Attributes follow the semantic
 * conventions of HTTP. Each attempt sends the context of its span, for example as `traceparent`.
 */
export function telemetryHooks(contract: Contract, given: Telemetry = {}): Hooks {
  const { tracer = trace.getTracer(NAME), meter = metrics.getMeter(NAME) } = given;
  const templates = new Map(contract.operations.map(({ id, path }) => [id, path]));
  const calls = new Map<string, Span>();
  const attempts = new Map<string, Span>();
  const durations = histogram(meter, "http.client.request.duration", "Duration of requests to the billing service.");
  const retries = meter.createCounter("billing.client.retries", { description: "Attempts that were repeated." });

  const routeOf = ({ operation, method, url }: CallFacts): Attributes => ({
    "http.request.method": method,
    "url.template": templates.get(operation),
    "server.address": new URL(url).hostname,
  });
  const attributesOf = (call: CallFacts): Attributes => {
    return { ...routeOf(call), "url.full": call.url, "billing.version": contract.version };
  };

  /** Starts the span of a call at its first attempt, as a child of the caller's span. */
  const startCall = (call: CallFacts, startTime = Date.now()): Span => {
    const span = tracer.startSpan(call.operation, { attributes: attributesOf(call), startTime });
    calls.set(call.callId, span);
    return span;
  };

  return {
    onRequest: (attempt) => {
      const call = calls.get(attempt.callId) ?? startCall(attempt);
      const resent = attempt.attempt > 1 ? { "http.request.resend_count": attempt.attempt - 1 } : {};
      const attributes = { ...attributesOf(attempt), ...resent };
      const name = `${attempt.method} ${templates.get(attempt.operation) ?? ""}`.trim();
      const parent = trace.setSpan(context.active(), call);
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
      attempts.set(attempt.attemptId, span);
      propagation.inject(trace.setSpan(parent, span), attempt.headers, { set: (to, key, value) => to.set(key, value) });
    },
    onRetry: ({ error, operation }) => retries.add(1, { "billing.operation": operation, "error.type": causeOf(error) }),
    onAttemptEnd: (attempt) => {
      durations.record(attempt.duration / 1_000, { ...routeOf(attempt), ...outcomeOf(attempt) });
      const span = attempts.get(attempt.attemptId);
      attempts.delete(attempt.attemptId);
      if (span !== undefined) endSpan(span, attempt);
    },
    onCallEnd: (call) => {
      // A call whose token function failed made no request, so its span starts only now.
      const span = calls.get(call.callId) ?? startCall(call, Date.now() - call.duration);
      calls.delete(call.callId);
      span.setAttribute("http.request.resend_count", Math.max(0, call.attempts - 1));
      endSpan(span, call);
    },
  };
}

/** Returns the status of an error, or its name. */
function causeOf(error: Error & { readonly status?: unknown }): string {
  return typeof error.status === "number" && error.status >= 400 ? String(error.status) : error.name;
}

function outcomeOf({ status, error }: Pick<Outcome, "status" | "error">): Attributes {
  const isFailure = status !== undefined && status >= 400;
  return {
    ...(status !== undefined && { "http.response.status_code": status }),
    ...(error !== undefined && { "error.type": isFailure ? String(status) : error.name }),
  };
}

function endSpan(span: Span, outcome: Pick<Outcome, "status" | "error">): void {
  span.setAttributes(outcomeOf(outcome));
  if (outcome.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.error.message });
  span.end();
}

/** The maximum number of events whose `add` is linked. Another process may send those of a shared outbox. */
const MAX_LINKED = 100_000;

/**
 * Creates an event buffer as `createEventBuffer` does, and records a span per request, which links the spans that were active
 * in the calls of `add`, and metrics: `billing.usage.queued`, `.oldest_age`, `.batches_in_flight`, `.last_success`, `.events`
 * (by outcome), `.retries` (by `error.type`) and `.batch.duration`.
 *
 * @throws `InvalidInputError` when an option is unknown or invalid.
 */
export function createTracedEventBuffer<Event extends UsageEvent>(
  client: UsageClient<Event>,
  options: EventBufferOptions<Event> = {},
  given: Telemetry = {},
): EventBuffer<Event> {
  const { tracer = trace.getTracer(NAME), meter = metrics.getMeter(NAME) } = given;
  const adds = new Map<string, SpanContext>();
  const usage = createEventBuffer<Event>(tracedClient(client, tracer, histogramOfBatches(meter), adds), options);
  let isClosed = false;
  observe(meter, usage, () => isClosed);
  const add = (event: Event): Promise<void> => {
    const active = trace.getSpanContext(context.active());
    if (active === undefined || typeof event !== "object" || event === null) return usage.add(event);
    const external_id = event.external_id ?? uuidV7();
    adds.set(external_id, active);
    if (adds.size > MAX_LINKED) adds.delete(adds.keys().next().value as string);
    return usage.add({ ...event, external_id }).catch((error: unknown) => {
      adds.delete(external_id);
      throw error;
    });
  };
  const closed = (): void => {
    isClosed = true;
    adds.clear();
  };
  const close: typeof usage.close = (closeOptions) => usage.close(closeOptions).finally(closed);
  return { ...usage, add, close, [Symbol.asyncDispose]: () => close() };
}

function histogramOfBatches(meter: Meter): Histogram {
  return histogram(meter, "billing.usage.batch.duration", "Duration of requests that send usage events.");
}

/** Returns a client that records a span per batch. A batch has no parent: its events come from many. */
function tracedClient<Event extends UsageEvent>(
  client: UsageClient<Event>,
  tracer: Tracer,
  durations: Histogram,
  adds: Map<string, SpanContext>,
): UsageClient<Event> {
  const ingest: UsageClient<Event>["events"]["ingest"] = (events, options) => {
    const ids = events.map(({ external_id = "" }) => external_id);
    const links: Link[] = [...new Set(ids.flatMap((id) => adds.get(id) ?? []))].map((linked) => ({ context: linked }));
    const attributes = { "billing.events": events.length };
    const span = tracer.startSpan("usage batch", { kind: SpanKind.PRODUCER, root: true, links, attributes });
    const started = performance.now();
    const end = (error?: Error): void => {
      durations.record((performance.now() - started) / 1_000, error && { "error.type": causeOf(error) });
      endSpan(span, { status: undefined, error });
      for (const id of settledOf(ids, error)) adds.delete(id);
    };
    const call = context.with(trace.setSpan(context.active(), span), () => client.events.ingest(events, options));
    const ended = call.then(
      () => end(),
      (thrown: unknown) => end(asError(thrown)),
    );
    ended.then(undefined, () => undefined); // A span processor may throw.
    // The client's own call, which tells the buffer whether the service has responded.
    return call;
  };
  return { events: { ingest } };
}

/** Returns the ids of the events that are not sent again after a request. */
function settledOf(ids: readonly string[], error: Error | undefined): readonly string[] {
  const verdict = error && classifyFailure(error, ids.length, 0);
  if (verdict?.action === "reject") return ids.filter((_, index) => verdict.problems.has(index));
  return verdict === undefined || verdict.action === "stored" ? ids : [];
}

/** Observes the statistics of a buffer, for the last time once it is closed. */
function observe(meter: Meter, usage: Pick<EventBuffer<never>, "stats">, isClosed: () => boolean): void {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(`billing.usage.${name}`, { unit, description });
  const counter = (name: string, description: string) =>
    meter.createObservableCounter(`billing.usage.${name}`, { description });
  const queued = gauge("queued", "{event}", "Events in the outbox.");
  const oldestAge = gauge("oldest_age", "s", "Age of the oldest event in the outbox.");
  const inFlight = gauge("batches_in_flight", "{request}", "Requests in progress.");
  const lastSuccess = gauge("last_success", "s", "Time of the last success, in seconds since 1970.");
  const events = counter("events", "Events by their outcome.");
  const retries = counter("retries", "Failed requests that were retried, by their cause.");
  const all = [queued, oldestAge, inFlight, lastSuccess, events, retries];
  const outcomes = ["sent", "duplicates", "unconfirmed", "rejected", "overflowed", "dropped"] as const;
  const read: Parameters<Meter["addBatchObservableCallback"]>[0] = async (result) => {
    const isLast = isClosed();
    const stats: BufferStats = await usage.stats();
    if (isLast) meter.removeBatchObservableCallback(read, all);
    if (stats.queued !== undefined) result.observe(queued, stats.queued);
    if (stats.oldestAge !== undefined) result.observe(oldestAge, stats.oldestAge / 1_000);
    if (stats.lastSuccess !== undefined) result.observe(lastSuccess, stats.lastSuccess / 1_000);
    result.observe(inFlight, stats.batchesInFlight);
    for (const outcome of outcomes) result.observe(events, stats[outcome], { "billing.outcome": outcome });
    for (const [cause, count] of Object.entries(stats.retriesByCause))
      result.observe(retries, count, { "error.type": cause });
  };
  meter.addBatchObservableCallback(read, all);
}
