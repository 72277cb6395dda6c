import { askForToken } from "./access-token.ts";
import type { Answer } from "./call.ts";
import type { Progress } from "./call-progress.ts";
import type { Deadline } from "./deadline.ts";
import { checkHookHeaders } from "./headers.ts";
import { asError, callHook, HookFailure, reportAttempt } from "./hooks.ts";
import type { AccessToken, Attempt } from "./options.ts";
import type { CallSettings, Settings } from "./read-options.ts";
import { readResponseText } from "./read-text.ts";
import { redactHeaders } from "./redact.ts";
import type { PreparedRequest } from "./request.ts";
import { parseResponse } from "./response.ts";
import { asBillingError, sendRequest } from "./send-request.ts";
import type { TransportRequest, TransportResponse } from "./transport.ts";

/** The settings and the request that all attempts of a call share. */
export interface Job {
  readonly settings: Settings;
  readonly call: CallSettings;
  readonly request: PreparedRequest;
}

/** Makes one attempt within one deadline (token, hooks, request, response body) and reports its outcome. */
export async function attempt(
  job: Job,
  facts: Attempt,
  progress: Progress,
  deadline: Deadline,
): Promise<Answer<unknown>> {
  const started = performance.now();
  const report = (error: Error | undefined): void => {
    reportAttempt(job.settings, facts, { duration: performance.now() - started, status: progress.status, error });
  };
  try {
    const answer = await exchange(job, facts, progress, deadline);
    deadline.end();
    report(undefined);
    return answer;
  } catch (error) {
    deadline.abandon();
    report(asError(error instanceof HookFailure ? error.reason : error));
    throw error;
  }
}

async function exchange(job: Job, attempt: Attempt, progress: Progress, deadline: Deadline): Promise<Answer<unknown>> {
  const { settings, call, request } = job;
  // An `await` takes time even without a promise to wait for.
  const token = typeof call.accessToken === "string" ? call.accessToken : await renewedToken(job, progress, deadline);
  progress.token = token;
  const own = settings.hooks.onRequest === undefined ? call.headers : await hookedHeaders(job, attempt, deadline);
  const started = performance.now();
  const response = await deadline.race(sendRequest(settings, messageOf(job, own, token, deadline), token));
  progress.status = response.status;
  if (settings.hooks.onResponse !== undefined) {
    await reportResponse(job, attempt, response, token, performance.now() - started, deadline);
  }
  const secretive = { operation: request.operation, token };
  const text = () => deadline.race(textOf(response, job, secretive));
  return parseResponse({ settings, request, response, token, text }).catch((error: unknown) => {
    throw asBillingError(error, secretive);
  });
}

function renewedToken({ call, request }: Job, progress: Progress, deadline: Deadline): Promise<string> {
  const renew = progress.attempts === progress.renewal;
  const ask = call.accessToken as Exclude<AccessToken, string>;
  return deadline.race(askForToken(ask, request.operation, renew, progress.token));
}

/** Returns the caller's headers after the `onRequest` hook, which sees no credential and cannot set reserved headers. */
async function hookedHeaders(
  { settings, call, request }: Job,
  attempt: Attempt,
  deadline: Deadline,
): Promise<CallSettings["headers"]> {
  const headers = new Headers(call.headers);
  await callHook(() => settings.hooks.onRequest?.({ ...attempt, headers }), deadline);
  return checkHookHeaders(headers, request.operation);
}

function messageOf(
  { settings, request }: Job,
  own: CallSettings["headers"],
  token: string,
  { signal }: Deadline,
): TransportRequest {
  const { operation, method, url, body } = request;
  const headers: Record<string, string> = { ...own, accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  headers["service-version"] = settings.version;
  headers["authorization"] = `Bearer ${token}`;
  return { operation, method, url, headers, body, signal };
}

async function reportResponse(
  { settings }: Job,
  attempt: Attempt,
  response: TransportResponse,
  token: string,
  duration: number,
  deadline: Deadline,
): Promise<void> {
  const { status } = response;
  const headers = redactHeaders(response.headers, token);
  await callHook(() => settings.hooks.onResponse?.({ ...attempt, status, headers, duration }), deadline);
}

async function textOf(
  response: TransportResponse,
  { call }: Job,
  secretive: { operation: string; token: string },
): Promise<string> {
  try {
    return await readResponseText(response, { operation: secretive.operation, maxBytes: call.maxResponseBytes });
  } catch (error) {
    throw asBillingError(error, secretive);
  }
}
