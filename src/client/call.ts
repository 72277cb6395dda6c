import type { Options } from "ky";
import { addNote } from "../errors/billing-error.ts";
import { signalErrorOf } from "../errors/checks.ts";
import { isApiError, isBillingError, TimeoutError } from "../errors/index.ts";
import { gzip } from "../values/bytes.ts";
import { asError, ownField } from "../values/describe.ts";
import { untilAborted } from "../values/wait.ts";
import type { AttemptFacts, CallFacts, Hooks } from "./options.ts";
import type { PreparedRequest } from "./request.ts";
import { apiErrorOf, type CallResponse, networkErrorOf, readError, readResponse } from "./response.ts";
import { delayBefore, isLeftToKy, isTransient, RETRIED, whyNotRetried } from "./retry.ts";
import { asResponse, type Send } from "./send.ts";
import type { CallContext, CallSettings, Settings } from "./settings.ts";
import { askForToken } from "./token.ts";

/** One attempt. One that has timed out may go on; it then changes nothing but this. */
interface Attempt {
  readonly facts: AttemptFacts;
  readonly started: number;
  response?: Response;
  /** What was read from the response: data, or the error of its status. */
  result?: CallResponse<unknown> | Error;
  hasEnded?: boolean;
}

/** Wraps what a hook threw, so that it is not mistaken for a failed request and retried. */
class HookFailure extends Error {}

/** The maximum number of tokens of a call that are redacted: a pattern for a hundred takes seconds. */
const MOST_TOKENS = 10;

let prefix: string | undefined;
let calls = 0;

/** A call. ky makes its attempts, waits between them and limits their time. */
export class RunningCall {
  readonly #context: CallContext;
  readonly #facts: CallFacts;
  readonly #started = performance.now();
  #attempts = 0;
  #attempt: Attempt | undefined;
  /** Whether to ask for a new token, after the first 401. */
  #renewal: "unused" | "due" | "used" = "unused";
  /** The longest delay before the next attempt, unless the service names one. */
  #delay = 0;
  /** Why a transient failure is not retried. */
  #reason: string | undefined;
  /** The last failure, and the error that it was turned into. */
  #failure: readonly [raw: unknown, error: unknown] | undefined;

  constructor(settings: Settings, call: CallSettings, request: PreparedRequest) {
    const { operation, method, url } = request;
    prefix ??= Math.random().toString(36).slice(2, 12);
    calls += 1;
    this.#context = { settings, call, request, tokens: [] };
    this.#facts = { callId: `${prefix}-${calls}`, operation, method, url };
  }

  async run(): Promise<CallResponse<unknown>> {
    const { call, request } = this.#context;
    try {
      if (call.headers["content-encoding"] === "gzip" && request.body) request.body = await gzip(request.body);
      const response = await this.#send();
      const result = this.#attempt?.response === response ? this.#attempt.result : undefined;
      // A hook of the caller's ky may have replaced the response.
      const parsed = result && "data" in result ? result : await readResponse(this.#context, response);
      this.#report();
      return parsed;
    } catch (raw) {
      const error = this.#explain(this.#settle(raw));
      this.#report(asError(error));
      throw error;
    }
  }

  #send(): Promise<Response> {
    const { settings, call, request } = this.#context;
    const { signal, headers, timeout, totalTimeout, maxRetries, accessToken } = call;
    if (signal?.aborted) throw signal.reason;
    const options: Options = {
      method: request.method,
      headers: request.body === undefined ? headers : { ...headers, "content-type": "application/json" },
      ...(signal && { signal }),
      redirect: "manual",
      // A property of `Object.prototype` is not an option.
      ...{ json: undefined, body: null },
      timeout,
      totalTimeout: totalTimeout ?? false,
      retry: {
        ...RETRIED,
        limit: maxRetries + (typeof accessToken === "string" ? 0 : 1), // One more for a new token.
        methods: [request.method as "get"],
        delay: () => this.#delay,
        shouldRetry: ({ error, retryCount }) => this.#shouldRetry(error, retryCount),
      },
    };
    return settings.ky(request, options, (sent, send) => untilAborted(signal, this.#try(sent, send)));
  }

  async #try(sent: Request, send: Send): Promise<Response> {
    const attempt = this.#begin();
    try {
      return await this.#exchange(attempt, sent, send);
    } catch (error) {
      throw error instanceof HookFailure ? error : networkErrorOf(this.#context, error);
    }
  }

  #begin(): Attempt {
    if (this.#attempt) this.#end(this.#attempt); // A hook of the caller's ky may have asked for another attempt.
    const attempt = ++this.#attempts;
    const facts = { ...this.#facts, attemptId: `${this.#facts.callId}.${attempt}`, attempt };
    this.#attempt = { facts, started: performance.now() };
    return this.#attempt;
  }

  /**
   * Makes one attempt with ky's `Request`. The token is added to what is sent, never to that `Request`, which is in errors of
   * ky and in what its hooks receive. The body is read here, so that it is a part of the attempt.
   */
  async #exchange(attempt: Attempt, sent: Request, send: Send): Promise<Response> {
    const { settings, request } = this.#context;
    const token = await this.#token(sent.signal);
    if (settings.hooks.onRequest)
      await hooked(() => settings.hooks.onRequest?.({ ...attempt.facts, headers: sent.headers }));
    const headers = {
      ...Object.fromEntries(sent.headers),
      accept: "application/json",
      "service-version": settings.version,
      authorization: `Bearer ${token}`,
    };
    const received = await send(sent, headers, request);
    const response = asResponse(received);
    attempt.response = response;
    // The hooks of the caller's ky may read the body as well.
    const readable = settings.isOwnKy ? response.clone() : received;
    const read = response.ok ? readResponse : readError;
    attempt.result = await read(this.#context, response, readable);
    if (response.ok && !sent.signal.aborted) this.#end(attempt);
    return response;
  }

  async #token(signal: AbortSignal): Promise<string> {
    const { accessToken } = this.#context.call;
    let token = accessToken;
    if (typeof token !== "string") {
      const isRenewal = this.#renewal === "due";
      token = await askForToken(this.#context, token, isRenewal);
      if (signal.aborted) throw signal.reason; // The next attempt may have begun.
      if (isRenewal) this.#renewal = "used";
    }
    const { tokens } = this.#context;
    if (tokens[0] !== token) this.#context.tokens = [token, ...tokens].slice(0, MOST_TOKENS);
    return token;
  }

  /** Tells ky whether to make another attempt; undefined leaves it to ky, which then waits for as long as `Retry-After` says. */
  async #shouldRetry(raw: Error, retryCount: number): Promise<boolean | undefined> {
    const { settings, call, request } = this.#context;
    const error = this.#settle(raw);
    if (call.signal?.aborted || raw instanceof HookFailure || !isBillingError(error)) return false;
    const isRejected = isApiError(error, 401) && typeof call.accessToken !== "string" && this.#renewal === "unused";
    if (isRejected) this.#renewal = "due";
    const retries = retryCount - (this.#renewal === "unused" ? 0 : 1);
    if (!isRejected) {
      if (!isTransient(error) || retries > call.maxRetries) return false;
      this.#reason = whyNotRetried(error, request.idempotent);
      if (this.#reason !== undefined) return false;
    }
    this.#delay = isRejected ? 0 : delayBefore(retries);
    const facts = this.#attempt?.facts as AttemptFacts;
    settings.logger.debug?.(`${error.message}; retrying`, { ...facts });
    if (settings.hooks.onRetry) {
      const retrying = hooked(() => settings.hooks.onRetry?.({ ...facts, error }));
      await untilAborted(call.signal, retrying);
    }
    return isRejected || !isLeftToKy(raw) || undefined;
  }

  /** Returns the client's error for what ky, a hook or an attempt failed with, and reports the end of the attempt. */
  #settle(raw: unknown): unknown {
    if (this.#failure?.[0] !== raw) this.#failure = [raw, this.#errorOf(raw)];
    const [, error] = this.#failure as readonly [unknown, unknown];
    if (this.#attempt) this.#end(this.#attempt, asError(error));
    return error;
  }

  #errorOf(raw: unknown): unknown {
    const { call, request } = this.#context;
    if (raw instanceof HookFailure) return raw.cause;
    if (isBillingError(raw)) return raw;
    if (call.signal?.aborted) return signalErrorOf(call.signal, request.operation);
    const { response, result } = this.#attempt ?? {};
    // Own fields: an error of a hook may inherit such a name.
    const name = ownField(raw, "name");
    if (name === "HTTPError") {
      const { response: failed, data } = raw as { readonly response: Response; readonly data: unknown };
      const isRead = failed === response && result instanceof Error;
      return isRead ? result : apiErrorOf(this.#context, failed, { value: data });
    }
    if (name !== "TimeoutError") return raw;
    const { timeout: ofAttempt, totalTimeout } = call;
    const isTotal = totalTimeout !== undefined && performance.now() - this.#started >= totalTimeout;
    const timeout = isTotal ? totalTimeout : ofAttempt;
    const message = `${request.operation}: no complete response within ${timeout} ms`;
    const error = new TimeoutError(message, { operation: request.operation, timeout });
    return response?.ok === false ? apiErrorOf(this.#context, response, { cause: error }) : error;
  }

  /** Adds the number of attempts and the reason for not retrying to an error, and the caller to its stack. */
  #explain(error: unknown): unknown {
    if (!isBillingError(error) || this.#failure?.[0] instanceof HookFailure) return error;
    const notes = [
      this.#attempts > 1 && `after ${this.#attempts} attempts`,
      this.#reason !== undefined && `not retried: ${this.#reason}`,
    ].filter(Boolean);
    if (notes.length > 0) addNote(error, notes.join("; "));
    return callerStack(error);
  }

  /** Reports the end of an attempt to the logger and the hook. */
  #end(attempt: Attempt, error?: Error): void {
    if (attempt.hasEnded) return;
    attempt.hasEnded = true;
    const { settings } = this.#context;
    const status = attempt.response?.status;
    if (!settings.logger.debug && !settings.hooks.onAttemptEnd) return;
    const end = { ...attempt.facts, status, duration: performance.now() - attempt.started };
    settings.logger.debug?.(status === undefined ? `${error?.message}` : `${this.#facts.operation}: ${status}`, end);
    observe(settings, "onAttemptEnd", () => settings.hooks.onAttemptEnd?.({ ...end, error }));
  }

  #report(error?: Error): void {
    const status = this.#attempt?.response?.status;
    const duration = performance.now() - this.#started;
    const end = { ...this.#facts, attempts: this.#attempts, duration, status, error };
    const { settings } = this.#context;
    observe(settings, "onCallEnd", () => settings.hooks.onCallEnd?.(end));
  }
}

/** Calls a hook. What it throws ends the call, even if it is an error of the package. */
async function hooked(hook: () => void | Promise<void>): Promise<void> {
  try {
    await hook();
  } catch (reason) {
    throw new HookFailure("a hook failed", { cause: reason });
  }
}

/** Calls an observing hook without waiting for it. Its errors are logged. */
function observe({ logger, hooks }: Settings, hook: keyof Hooks, call: () => void): void {
  if (!hooks[hook]) return;
  const called = (async () => call())();
  called.catch((error: unknown) => logger.warn?.(`a hook failed: ${asError(error).message}`, { hook }));
}

/**
 * Replaces the stack of an error with the current one, where the engine supports it. The stack of an error from a timer, a
 * signal or deep inside the client does not include the caller.
 */
function callerStack<Thrown>(error: Thrown): Thrown {
  if (error instanceof Error) Error.captureStackTrace?.(error, callerStack);
  return error;
}
