import type { CallEnd, CallFacts, Hooks } from "@billing-service/sdk";
import type { Contract } from "@billing-service/sdk/contract";
import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";

/**
 * Creates hooks that record a span per call and, within it, a client span per attempt. Each attempt sends the context of
 * its span, for example as `traceparent`. Attributes follow the semantic conventions of HTTP.
 */
export function tracingHooks(tracer: Tracer, contract: Contract): Hooks {
  const templates = new Map(contract.operations.map(({ id, path }) => [id, path]));
  const calls = new Map<string, Span>();
  const attempts = new Map<string, Span>();

  const attributesOf = ({ operation, method, url }: CallFacts): Attributes => ({
    "http.request.method": method,
    "url.template": templates.get(operation),
    "url.full": url,
    "server.address": new URL(url).hostname,
    "billing.version": contract.version,
  });

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
    onAttemptEnd: ({ attemptId, status, error }) => {
      const span = attempts.get(attemptId);
      attempts.delete(attemptId);
      if (span !== undefined) endSpan(span, { status, error });
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

function endSpan(span: Span, { status, error }: Pick<CallEnd, "status" | "error">): void {
  if (status !== undefined) span.setAttribute("http.response.status_code", status);
  if (error !== undefined) {
    span.setAttribute("error.type", status !== undefined && status >= 400 ? String(status) : error.name);
    span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
  }
  span.end();
}
