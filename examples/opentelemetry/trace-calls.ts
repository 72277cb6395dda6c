// Traces calls with OpenTelemetry and prints the spans. Install `@opentelemetry/api`, `@opentelemetry/core` and
// `@opentelemetry/sdk-trace-base`, and run `node trace-calls.ts`. In your app, the SDK of OpenTelemetry that you already
// use sets the propagator and the exporter.
import { contract, createClient } from "@billing-service/sdk/2025-01";
import { createMock } from "@billing-service/sdk/mock";
import { telemetryHooks } from "@billing-service/sdk/opentelemetry";
import { propagation } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
propagation.setGlobalPropagator(new W3CTraceContextPropagator());

const mock = createMock();
mock.fault({ operation: "products:list", status: 503, times: 1, retryAfter: 0 });
const billing = createClient({
  accessToken: mock.issueToken({ scopes: ["products:read"] }),
  fetch: mock.fetch,
  hooks: telemetryHooks(contract, { tracer: provider.getTracer("billing") }),
});

await billing.products.list();
await billing.events.ingest([{ name: "api.call", external_customer_id: "acme" }]).safe(); // fails: the scope is missing

for (const span of exporter.getFinishedSpans()) {
  const { spanId, traceId } = span.spanContext();
  const { name, attributes, status } = span;
  console.log(JSON.stringify({ name, traceId, spanId, parent: span.parentSpanContext?.spanId, status, attributes }));
}
console.log(JSON.stringify(mock.requests.list().map(({ headers }) => headers["traceparent"])));
