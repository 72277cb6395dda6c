import { askForToken } from "./access-token.ts";
import type { CallResponse } from "./call.ts";
import type { Progress } from "./call-progress.ts";
import type { Deadline } from "./deadline.ts";
import { checkHookHeaders } from "./headers.ts";
import { asError, callHook, HookFailure, reportAttempt } from "./hooks.ts";
import type { Attempt } from "./options.ts";
import { readResponseText } from "./read-body.ts";
import type { CallSettings, Settings } from "./read-options.ts";
import type { PreparedRequest } from "./request.ts";
import { parseResponse } from "./response.ts";
import { asBillingError, transport } from "./transport.ts";

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
): Promise<CallResponse<unknown>> {
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

async function exchange(
  job: Job,
  attempt: Attempt,
  progress: Progress,
  deadline: Deadline,
): Promise<CallResponse<unknown>> {
  const { settings, request } = job;
  const token = await readToken(job, progress, deadline);
  progress.token = token;
  const own = await hookedHeaders(job, attempt, deadline);
  const started = performance.now();
  const headers = headersOf(job, own, token);
  const { signal } = deadline;
  const { operation, method, url, body } = request;
  const response = await deadline.race(
    transport({ operation, method, url, headers, body, signal, fetch: settings.fetch, token }),
  );
  progress.status = response.status;
  await reportResponse(job, attempt, response, performance.now() - started, deadline);
  const secretive = { operation, token };
  const text = () => deadline.race(textOf(response, job, secretive));
  return parseResponse({ settings, request, response, token, text }).catch((error: unknown) => {
    throw asBillingError(error, secretive);
  });
}

function readToken({ call, request }: Job, progress: Progress, deadline: Deadline): string | Promise<string> {
  const { accessToken } = call;
  if (typeof accessToken === "string") return accessToken;
  const renew = progress.attempts === progress.renewal;
  return deadline.race(askForToken(accessToken, request.operation, renew, progress.token));
}

/** Returns the caller's headers after the `onRequest` hook, which sees no credential and cannot set reserved headers. */
async function hookedHeaders(
  { settings, call, request }: Job,
  attempt: Attempt,
  deadline: Deadline,
): Promise<CallSettings["headers"]> {
  if (settings.hooks.onRequest === undefined) return call.headers;
  const headers = new Headers(call.headers);
  await callHook(() => settings.hooks.onRequest?.({ ...attempt, headers }), deadline);
  return checkHookHeaders(headers, request.operation);
}

function headersOf({ settings, request }: Job, own: CallSettings["headers"], token: string): Record<string, string> {
  const headers: Record<string, string> = { ...own, accept: "application/json" };
  if (request.body !== undefined) headers["content-type"] = "application/json";
  headers["service-version"] = settings.version;
  headers["authorization"] = `Bearer ${token}`;
  return headers;
}

async function reportResponse(
  { settings }: Job,
  attempt: Attempt,
  response: Response,
  duration: number,
  deadline: Deadline,
): Promise<void> {
  const { status, headers } = response;
  if (settings.hooks.onResponse === undefined) return;
  await callHook(() => settings.hooks.onResponse?.({ ...attempt, status, headers, duration }), deadline);
}

async function textOf(
  response: Response,
  { call }: Job,
  secretive: { operation: string; token: string },
): Promise<string> {
  try {
    return await readResponseText(response, { operation: secretive.operation, maxBytes: call.maxResponseBytes });
  } catch (error) {
    throw asBillingError(error, secretive);
  }
}
