import { spawnSync } from "node:child_process";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClientOptions, contract, createClient } from "#current";
import { createMock } from "../../mock/index.ts";
import { telemetryHooks } from "../../src/opentelemetry.ts";
import { CURRENT } from "../support/versions.ts";

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer("test");

function traced(options: Partial<ClientOptions> = {}) {
  const mock = createMock();
  const hooks = telemetryHooks(contract, { tracer });
  return { mock, billing: createClient({ accessToken: mock.issueToken(), fetch: mock.fetch, hooks, ...options }) };
}

/** The finished spans, in the order in which they ended. */
const spans = () => exporter.getFinishedSpans().map(({ name, kind, attributes }) => ({ name, kind, attributes }));

describe("the hooks for OpenTelemetry", () => {
  beforeEach(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager()));
  afterEach(() => {
    context.disable();
    exporter.reset();
  });

  it("record a span per attempt and one per call, with method, route template, status, version and retries", async () => {
    const { mock, billing } = traced();
    mock.fault({ operation: "webhooks:get_webhook_endpoint", status: 503, times: 1, retryAfter: 0 });
    const { id } = mock.webhookEndpoints.create();
    await billing.webhooks.getEndpoint(id);
    const common = {
      "http.request.method": "GET",
      "url.template": "/v1/webhooks/endpoints/{id}",
      "url.full": `${mock.baseUrls[0]}/v1/webhooks/endpoints/${id}`,
      "server.address": new URL(mock.baseUrls[0] ?? "").hostname,
      "billing.version": CURRENT,
    };
    const [name, client, internal] = ["GET /v1/webhooks/endpoints/{id}", 2, 0];
    const first = { ...common, "http.response.status_code": 503, "error.type": "503" };
    const second = { ...common, "http.response.status_code": 200, "http.request.resend_count": 1 };
    expect(spans()).toEqual([
      { name, kind: client, attributes: first },
      { name, kind: client, attributes: second },
      { name: "webhooks:get_webhook_endpoint", kind: internal, attributes: second },
    ]);
  });

  it("continue the trace of the caller, and keep concurrent calls apart", async () => {
    const { billing } = traced();
    const caller = tracer.startSpan("caller");
    const list = () => billing.products.list();
    await context.with(trace.setSpan(context.active(), caller), () => Promise.all([list(), list(), list()]));
    const ended = exporter.getFinishedSpans();
    const attempts = ended.filter(({ name }) => name.startsWith("GET "));
    const calls = ended.filter(({ name }) => name === "products:list");
    const idsOf = (spans: typeof ended) => spans.map((span) => span.spanContext().spanId).sort();
    const parentsOf = (spans: typeof ended) => spans.map(({ parentSpanContext }) => parentSpanContext?.spanId).sort();
    expect(new Set(idsOf(calls)).size).toBe(3);
    expect(parentsOf(attempts)).toEqual(idsOf(calls));
    expect(parentsOf(calls)).toEqual(Array(3).fill(caller.spanContext().spanId));
    expect(new Set(ended.map((span) => span.spanContext().traceId))).toEqual(new Set([caller.spanContext().traceId]));
  });

  it("record failures by their status or the name of the error, without the token", async () => {
    const failing = traced({ accessToken: () => Promise.reject(new Error("no token")) });
    await failing.billing.products.list().safe();
    const { mock, billing } = traced({ maxRetries: 0 });
    mock.fault({ kind: "reset", times: 1 });
    await billing.products.list().safe();
    const ended = exporter
      .getFinishedSpans()
      .map(({ name, attributes, status }) => `${name} ${attributes["error.type"]} ${status.code}`);
    const lost = ["GET /v1/products/ NetworkError 2", "products:list NetworkError 2"];
    expect(ended).toEqual(["products:list AccessTokenError 2", ...lost]);
    expect(
      JSON.stringify(exporter.getFinishedSpans().map(({ attributes, status }) => [attributes, status])),
    ).not.toMatch(/billing_(oat|oidc|pat)_/);
  });
});

it("the example prints its spans, and each attempt sends its span as traceparent", () => {
  const program = ["examples/opentelemetry/trace-calls.ts"];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [first, second, list, third, ingest, traceparents] = lines;
  expect([first, second, third].map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`)).toEqual(traceparents);
  expect([first.parent, second.parent, third.parent]).toEqual([list.spanId, list.spanId, ingest.spanId]);
  expect(list.attributes).toMatchObject({ "http.response.status_code": 200, "http.request.resend_count": 1 });
  expect(ingest.attributes).toMatchObject({ "http.response.status_code": 403, "error.type": "403" });
});
