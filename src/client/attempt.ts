import { Checks } from "../errors/checks.ts";
import { AccessTokenError, type BillingError, isBillingError, NetworkError } from "../errors/index.ts";
import { asError, isError } from "../values/describe.ts";
import type { Deadline } from "./deadline.ts";
import { checkEntries, checkToken } from "./header-checks.ts";
import type { AccessToken, Hooks, TransportRequest, TransportResponse } from "./options.ts";
import { redactHeaders, sanitizeError } from "./redact.ts";
import type { Attempt } from "./request.ts";
import { type Answer, parseResponse, readResponseText } from "./response.ts";
import type { CallSettings, Settings } from "./settings.ts";
import { checkResponse, HookFailure } from "./transport.ts";

/** Makes one attempt within its deadline (token, hooks, request, response body) and reports its outcome. */
export async function makeAttempt(attempt: Attempt): Promise<Answer<unknown>> {
  const started = performance.now();
  try {
    const answer = await exchange(attempt);
    attempt.deadline.end();
    reportAttempt(attempt, performance.now() - started);
    return answer;
  } catch (error) {
    attempt.deadline.abandon();
    const failure = asFailure(error, attempt);
    reportAttempt(
      attempt,
      performance.now() - started,
      asError(failure instanceof HookFailure ? failure.reason : failure),
    );
    throw failure;
  }
}

async function exchange(attempt: Attempt): Promise<Answer<unknown>> {
  const { settings, call, deadline } = attempt;
  const { hooks } = settings;
  // An `await` takes time even without a promise to wait for.
  const token =
    typeof call.accessToken === "string"
      ? call.accessToken
      : await deadline.race(askForToken(call.accessToken, attempt), "access token");
  attempt.renew &&= false;
  attempt.tokens = [...new Set([token, ...attempt.tokens])].slice(0, MOST_TOKENS);
  const headers = hooks.onRequest ? await hookedHeaders(attempt) : call.headers;
  const sent = performance.now();
  const response = await deadline.race(send(attempt, headers));
  attempt.status = response.status;
  if (hooks.onResponse) {
    const facts = { ...attempt.facts, status: response.status, duration: performance.now() - sent };
    const received = redactHeaders(response.headers, attempt.tokens);
    await callHook(() => hooks.onResponse?.({ ...facts, headers: received }), deadline);
  }
  return parseResponse(attempt, response, async () => {
    try {
      return await deadline.race(readResponseText(response, attempt));
    } catch (error) {
      throw asFailure(error, attempt);
    }
  });
}

/** The maximum number of tokens of a call that are redacted: a pattern for a hundred takes seconds. */
const MOST_TOKENS = 10;

type AskForToken = Exclude<AccessToken, string>;

/** Calls the token function. The previous tokens are redacted in its errors. */
async function askForToken(ask: AskForToken, attempt: Attempt): Promise<string> {
  const { operation } = attempt.request;
  let token: string;
  try {
    token = await (attempt.renew ? renewToken(ask, attempt) : ask({ renew: false }));
  } catch (error) {
    const cause = sanitizeError(error, attempt.tokens);
    throw new AccessTokenError(`${operation}: the accessToken function failed; see \`cause\``, { operation, cause });
  }
  const check = new Checks({ operation });
  check.must(typeof token === "string", "accessToken", "return a string", token);
  return checkToken(check, token);
}

/** The time for which a renewal is shared while it is pending, in milliseconds: one that hangs must not fail every call. */
const SHARED_FOR = 5_000;

/** The last renewal of each token function. Calls that began before `end` share it if the same token was rejected. */
const renewals = new WeakMap<AskForToken, { rejected: string; token: Promise<string>; end: number }>();

/** Calls the token function with `renew`: once for all concurrent calls whose token was rejected. */
function renewToken(ask: AskForToken, { tokens: [rejected = ""], started }: Attempt): Promise<string> {
  const last = renewals.get(ask);
  if (last?.rejected === rejected && started <= last.end) return last.token;
  const renewal = { rejected, token: (async () => ask({ renew: true }))(), end: performance.now() + SHARED_FOR };
  renewals.set(ask, renewal);
  renewal.token.then(
    () => {
      renewal.end = performance.now();
    },
    () => {
      renewal.end = -1;
    },
  );
  return renewal.token;
}

/** Returns the caller's headers after the `onRequest` hook, which sees no credential and cannot set reserved headers. */
async function hookedHeaders({ settings, call, request, facts, deadline }: Attempt): Promise<CallSettings["headers"]> {
  const headers = new Headers(call.headers);
  await callHook(() => settings.hooks.onRequest?.({ ...facts, headers }), deadline);
  return checkEntries(new Checks({ operation: request.operation }), headers);
}

/** Sends the request through the client's transport. */
async function send(attempt: Attempt, headers: CallSettings["headers"]): Promise<TransportResponse> {
  const { transport, replaced } = attempt.settings;
  try {
    const response = await transport.send(messageOf(attempt, headers));
    return replaced === "transport" ? checkResponse("transport.send", response, attempt.request.operation) : response;
  } catch (error) {
    // A hook of the caller's ky instance may have seen the token.
    throw error instanceof HookFailure ? new HookFailure(sanitizeError(error.reason, attempt.tokens)) : error;
  }
}

function messageOf(
  { settings, request, tokens: [token], deadline }: Attempt,
  callerHeaders: CallSettings["headers"],
): TransportRequest {
  const { operation, method, url, body } = request;
  const headers: Record<string, string> = { ...callerHeaders, accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  headers["service-version"] = settings.version;
  headers["authorization"] = `Bearer ${token}`;
  return { operation, method, url, headers, body, signal: deadline.signal };
}

/** Converts any other error of an attempt into a {@link NetworkError}: of the transport, or of a body that breaks. */
function asFailure(error: unknown, attempt: Attempt): BillingError | HookFailure {
  if (isBillingError(error) || error instanceof HookFailure) return error;
  const { operation } = attempt.request;
  const cause = sanitizeError(error, attempt.tokens);
  const hint = attempt.status === undefined ? placeholderHint(attempt, isError(error) ? error : cause) : "";
  const message = `${operation}: the connection failed: ${reason(cause)}${hint}`;
  return new NetworkError(message, { operation, cause, isPlaceholder: hint !== "" });
}

/** Explains why the host name of an environment was not found: it is a placeholder (G-BASE). */
function placeholderHint({ request, settings: { replaced } }: Attempt, lost: Error): string {
  const { hostname } = new URL(request.url);
  if (replaced === "fetch" || !hostname.endsWith(".example") || !isHostUnknown(innermost(lost))) return "";
  return `; ${hostname} is a placeholder: set \`baseUrl\`, or \`fetch: mock.fetch\` for tests`;
}

/** Whether the host name may be unknown. Browsers do not tell: their error has neither a code nor a cause. */
function isHostUnknown({ code, cause }: Error & { readonly code?: unknown }): boolean {
  return code === undefined ? cause === undefined : code === "ENOTFOUND" || code === "EAI_AGAIN";
}

/** Returns the innermost message: Node's outer one is always `fetch failed`. One of OpenSSL ends with a line break. */
function reason(cause: Error): string {
  const error = innermost(cause);
  return `${error.message || (error as { code?: string }).code || error.name}`.trim();
}

function innermost(lost: Error): Error {
  let error = lost;
  for (let depth = 0; depth < 5 && isError(error.cause); depth++) error = error.cause;
  return error;
}

/** Calls a hook and waits for it until the deadline. */
export function callHook(hook: () => void | Promise<void>, deadline: Deadline): Promise<void> {
  const called = (async () => hook())();
  const result = called.catch((reason: unknown) => Promise.reject(new HookFailure(reason)));
  return deadline.race(result, "hook result");
}

/** Reports the end of an attempt to the logger and the hook. */
function reportAttempt({ settings, facts, status }: Attempt, duration: number, error?: Error): void {
  const message = status === undefined ? (error?.message ?? "") : `${facts.operation}: ${status}`;
  settings.logger.debug?.(message, { ...facts, status, duration });
  observe(settings, "onAttemptEnd", { ...facts, status, duration, error });
}

/** Calls an observing hook without waiting for it. Its errors are logged. */
export function observe<Name extends "onAttemptEnd" | "onCallEnd">(
  { logger, hooks }: Settings,
  name: Name,
  end: Parameters<NonNullable<Hooks[Name]>>[0],
): void {
  if (!hooks[name]) return;
  const called = (async () => hooks[name]?.(end as never))();
  called.catch((error: unknown) => logger.warn?.(`a hook failed: ${asError(error).message}`, { hook: name }));
}
