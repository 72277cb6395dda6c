import { context, type Span, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { contract, createClient } from "#current";
import { createTracedEventBuffer, telemetryHooks } from "../../src/opentelemetry.ts";
import { CURRENT } from "../support/versions.ts";
import { bad, eventsOf, QUICK, service, through } from "./service.ts";

beforeEach(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager()));
afterEach(() => context.disable());

/** Creates a tracer and a meter, and functions that return what they recorded. */
function telemetry() {
  const spans = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).getTracer("test");
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1_000_000 });
  const provider = new MeterProvider({ readers: [reader] });
  onTestFinished(() => provider.shutdown());
  const metrics = async () => {
    await reader.forceFlush();
    const recorded =
      exporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
    return Object.fromEntries(recorded.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints]));
  };
  return { tracer, meter: provider.getMeter("test"), spans: () => spans.getFinishedSpans(), metrics };
}

/** Calls a function in the context of a span. */
function within<Result>(span: Span, call: () => Result): Result {
  return context.with(trace.setSpan(context.active(), span), call);
}

it("a batch has a span that links the spans in which its events were added, also when it is sent again", async () => {
  const given = telemetry();
  const { billing, mock } = service();
  const usage = createTracedEventBuffer(billing, { ...QUICK, maxDelay: 60_000 }, given);
  mock.fault({ status: 503, times: 1 });
  const requests = eventsOf(2).map(async (event) => {
    const span = given.tracer.startSpan("request");
    await within(span, () => usage.add(event));
    return span.spanContext();
  });
  const contexts = await Promise.all(requests);
  await usage.add({ name: "api.call", external_customer_id: "acme" });
  await within(given.tracer.startSpan("end"), () => usage.close());
  const batches = given.spans().filter(({ name }) => name === "usage batch");
  expect(batches.map(({ attributes }) => attributes)).toMatchObject([
    { "billing.events": 3, "error.type": "ApiError" },
    { "billing.events": 3 },
  ]);
  for (const batch of batches) {
    expect(batch.parentSpanContext).toBeUndefined();
    expect(batch.links.map((link) => link.context)).toEqual(contexts);
  }
  expect(mock.events.size).toBe(3);
});

it("an event that is sent, rejected or refused is no longer linked", async () => {
  const given = telemetry();
  const options = { ...QUICK, maxDelay: 60_000, maxQueued: 2, onRejected: () => {} };
  const usage = createTracedEventBuffer(service().billing, options, given);
  const events = eventsOf(3);
  const traced = [events[0]!, bad("event-2"), events[2]!];
  const added = within(given.tracer.startSpan("request"), () => traced.map((event) => usage.add(event)));
  expect((await Promise.allSettled(added)).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  await usage.flush();
  for (const event of events) {
    await usage.add(event);
    await usage.flush();
  }
  expect(given.spans().map(({ links }) => links.length)).toEqual([1, 1, 0, 0, 0]);
  await usage.close();
});

it("of the events that wait, the last 100,000 are linked, and adding more takes no longer", async () => {
  const given = telemetry();
  const ingest = async (events: readonly object[]) => ({ inserted: events.length, duplicates: 0 });
  const usage = createTracedEventBuffer({ events: { ingest } }, { maxQueued: 200_000, maxBatchEvents: 10_000 }, given);
  const [first, others] = [given.tracer.startSpan("first"), given.tracer.startSpan("others")];
  const [event, ...events] = eventsOf(140_000);
  await Promise.all([
    within(first, () => usage.add(event!)),
    ...within(others, () => events.map((each) => usage.add(each))),
  ]);
  await usage.close();
  const links = given.spans().flatMap((batch) => batch.links.map((link) => link.context));
  expect(new Set(links)).toEqual(new Set([others.spanContext()]));
});

it("only what the service has answered is sent: the page of a gateway keeps the events", async () => {
  let page: { readonly body: string; readonly headers: Record<string, string> } | undefined;
  const { billing, mock } = through(async () => page && new Response(page.body, { headers: page.headers }));
  const onRetry = vi.fn();
  const usage = createTracedEventBuffer(billing, { ...QUICK, onRetry });
  const json = { "content-type": "application/json" };
  const bodies = ['{"status":"ok"}', "{}", "null"].map((body) => ({ body, headers: json }));
  for (page of [...bodies, { body: "<html>ok</html>", headers: { "content-type": "text/html" } }]) {
    onRetry.mockClear();
    await usage.add({ name: "api.call", external_customer_id: "acme" });
    await expect.poll(() => onRetry.mock.calls.length, { interval: 5 }).toBeGreaterThan(2);
  }
  page = undefined;
  await usage.flush();
  expect(mock.events.size).toBe(4);
  page = { body: "{}", headers: { ...json, "service-version": CURRENT } };
  await usage.add(eventsOf(1)[0]!);
  await usage.close();
  expect(await usage.stats()).toMatchObject({ queued: 0, sent: 5 });
});

it("the metrics of a buffer are those of stats(), with durations in seconds, up to its last", async () => {
  const given = telemetry();
  const held = Promise.withResolvers<undefined>();
  let isHeld = false;
  const { billing, mock } = through(async () => (isHeld ? held.promise : undefined));
  const usage = createTracedEventBuffer(billing, { ...QUICK, maxDelay: 60_000 }, given);
  mock.fault({ status: 503, times: 2, delay: 30 });
  await usage.add(eventsOf(1)[0]!);
  await usage.flush();
  await usage.add(eventsOf(1, 2)[0]!);
  isHeld = true;
  const flushed = usage.flush();
  await expect.poll(() => usage.stats()).toMatchObject({ batchesInFlight: 1 });
  const stats = await usage.stats();
  expect(stats).toMatchObject({ queued: 1, sent: 1, retries: 2, retriesByCause: { 503: 2 } });
  expect(Date.now() - stats.lastSuccess!).toBeLessThan(60_000);
  const metrics = await given.metrics();
  expect(metrics).toMatchObject({
    "billing.usage.queued": [{ value: 1 }],
    "billing.usage.batches_in_flight": [{ value: 1 }],
    "billing.usage.last_success": [{ value: stats.lastSuccess! / 1_000 }],
    "billing.usage.oldest_age": [{ value: expect.any(Number) }],
    "billing.usage.retries": [{ value: 2, attributes: { "error.type": "503" } }],
    "billing.usage.events": expect.arrayContaining([
      expect.objectContaining({ value: 1, attributes: { "billing.outcome": "sent" } }),
    ]),
  });
  const durations = metrics["billing.usage.batch.duration"]?.map(({ value }) => value) as { max: number }[];
  expect(durations).toMatchObject([{ count: 2 }, { count: 1 }]);
  expect(durations[0]?.max).toBeGreaterThan(0.02);
  expect(durations[0]?.max).toBeLessThan(10);
  held.resolve(undefined);
  await flushed;
  await usage.close();
  const removed = vi.spyOn(given.meter, "removeBatchObservableCallback");
  expect(await given.metrics()).toMatchObject({
    "billing.usage.queued": [{ value: 0 }],
    "billing.usage.events": expect.arrayContaining([
      expect.objectContaining({ value: 2, attributes: { "billing.outcome": "sent" } }),
    ]),
  });
  expect(removed).toHaveBeenCalledOnce();
});

it("the metrics of calls have buckets in seconds, and count retries by their cause", async () => {
  const given = telemetry();
  const { mock, token } = service();
  const hooks = telemetryHooks(contract, given);
  const billing = createClient({ accessToken: token, fetch: mock.fetch, hooks });
  mock.fault({ status: 503, times: 1, retryAfter: 0, operation: "products:list" });
  await billing.products.list();
  const metrics = await given.metrics();
  const route = { "http.request.method": "GET", "url.template": "/v1/products/" };
  const durations = metrics["http.client.request.duration"] ?? [];
  expect(durations.map(({ attributes }) => attributes)).toMatchObject([
    { ...route, "http.response.status_code": 503, "error.type": "503" },
    { ...route, "http.response.status_code": 200 },
  ]);
  const [{ value } = {}] = durations as { value?: { buckets: { boundaries: number[] }; max: number } }[];
  expect(value?.buckets.boundaries.slice(0, 2)).toEqual([0.005, 0.01]);
  expect(value?.max).toBeLessThan(5);
  expect(metrics["billing.client.retries"]).toMatchObject([
    { value: 1, attributes: { "billing.operation": "products:list", "error.type": "503" } },
  ]);
});
