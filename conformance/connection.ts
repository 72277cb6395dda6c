import { describeValue } from "../src/errors/describe-value.ts";
import { NotObservable } from "./outcome.ts";

/** Settings of a connection. */
export interface ConnectionSettings {
  /** The base URL without a trailing slash. */
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** Maximum number of requests per second; `Infinity` for no limit. */
  readonly requestsPerSecond: number;
  /** Timeout of a request in milliseconds, including the response body. */
  readonly timeout: number;
  /** Waits until the run is aborted at most, unless it waits for clean-up. */
  readonly sleep: (milliseconds: number, cleanup?: boolean) => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

/** A request. */
export interface Sent {
  /** The token; null for none. */
  readonly token?: string | null;
  /** The version that the header names; null for no header. */
  readonly version?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value to send as JSON. */
  readonly json?: unknown;
  /** A body to send unchanged, as JSON unless the headers set another content type. */
  readonly body?: string | ReadableStream<Uint8Array>;
  /** Whether to return a 429 instead of waiting as it asks. */
  readonly keep429?: boolean;
  /** Whether to wait for the response although the run is aborted meanwhile, because the request creates something. */
  readonly uninterrupted?: boolean;
  /** Whether to send the request although the run is aborted or has no requests left. */
  readonly cleanup?: boolean;
}

/** A response. */
export interface Answer {
  /** The request: its method, its path and its body. A report shows its beginning, without what it must not contain. */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON body; undefined if the body is empty or not JSON. */
  readonly body: unknown;
}

/** No response arrived, or its body is too large. */
export class NoAnswer extends NotObservable {}

/** The run was aborted, or has sent as many requests as it may. */
class RunEnded extends NotObservable {}

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
const MAX_ATTEMPTS = 3;
/** The longest time to wait after a 429, in seconds. */
export const MAX_WAIT_SECONDS = 300;
const MAX_FAILURES = 3;
/** The longest time to wait in all as 429s ask, after the run was aborted, in seconds. */
const MAX_CLEANUP_SECONDS = 60;

/** Sends requests one at a time: paced, bounded in time and size, and again when a 429 says when. */
export class Connection {
  readonly settings: ConnectionSettings;
  /** The number of requests that were sent. */
  requests = 0;
  /** The number of requests that may be sent. */
  maxRequests: number = Number.POSITIVE_INFINITY;
  /** Becomes true when a request is not sent because the run has ended. */
  ended = false;
  #last = Number.NEGATIVE_INFINITY;
  #cleanupSeconds = MAX_CLEANUP_SECONDS;
  /** The failures since the last response. */
  readonly #failures: string[] = [];

  constructor(settings: ConnectionSettings) {
    this.settings = settings;
  }

  /**
   * Sends one request, written as `METHOD /path`.
   *
   * @throws NoAnswer if no response arrives.
   * @throws RunEnded if the run was aborted or has no requests left.
   */
  async send(line: string, sent: Sent): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.fetch(...this.#requestOf(line, sent), sent);
      if (response.status !== 429 || sent.keep429) return answerOf(line, sent, response);
      await this.#waitAsAsked(response, attempt, sent.cleanup);
    }
  }

  /** Sends one request as `fetch` does, and reads the response. */
  async fetch(url: string, init: RequestInit, { cleanup = false, uninterrupted = cleanup }: Sent = {}): Promise<Read> {
    const { signal, timeout, fetch } = this.settings;
    await this.#pace(cleanup);
    if (!cleanup) this.requireRunning();
    this.requests += 1;
    const signals = [AbortSignal.timeout(timeout), ...(signal && !uninterrupted ? [signal] : [])];
    try {
      const response = await fetch(url, { redirect: "manual", ...init, signal: AbortSignal.any(signals) });
      const read = { status: response.status, headers: response.headers, text: await textOf(response) };
      if (read.status !== 429) this.#failures.length = 0;
      return read;
    } catch (error) {
      if (signal?.aborted && !uninterrupted) throw new RunEnded("the run was aborted");
      const failure = new NoAnswer(`no response: ${reasonOf(error, timeout)}`);
      this.#failures.push(failure.message);
      throw failure;
    }
  }

  /** Throws {@link RunEnded} if the run must not send further requests. */
  requireRunning(): void {
    const reason = this.#reasonToEnd();
    if (reason === undefined) return;
    this.ended = true;
    throw new RunEnded(reason);
  }

  #reasonToEnd(): string | undefined {
    if (this.settings.signal?.aborted) return "the run was aborted";
    if (this.requests >= this.maxRequests) return `the run has sent the ${this.maxRequests} requests that it may`;
    const { length } = this.#failures;
    if (length < MAX_FAILURES) return undefined;
    return `${length} consecutive requests failed, the last with ${this.#failures.at(-1)}`;
  }

  async #pace(cleanup: boolean): Promise<void> {
    const { requestsPerSecond, sleep } = this.settings;
    const wait = this.#last + 1000 / requestsPerSecond - performance.now();
    if (wait > 0) await sleep(wait, cleanup);
    this.#last = performance.now();
  }

  async #waitAsAsked({ headers }: Read, attempt: number, cleanup = false): Promise<void> {
    const { signal, sleep } = this.settings;
    const asked = headers.get("retry-after") ?? "1";
    const seconds = secondsOf(asked);
    const isCleanup = cleanup && signal?.aborted;
    const longest = isCleanup ? this.#cleanupSeconds : MAX_WAIT_SECONDS;
    if (attempt < MAX_ATTEMPTS && seconds <= longest) {
      if (isCleanup) this.#cleanupSeconds -= seconds;
      return sleep(seconds * 1000, cleanup);
    }
    const failure = new NotObservable(`429 after ${attempt} attempts, with Retry-After: ${describeValue(asked)}`);
    this.#failures.push(failure.message);
    throw failure;
  }

  #requestOf(line: string, { token, version, headers: given, json, body: text }: Sent): [string, RequestInit] {
    const [method = "", path = ""] = line.split(" ");
    const body = json === undefined ? text : JSON.stringify(json);
    const headers = new Headers(body === undefined ? {} : { "Content-Type": "application/json" });
    headers.set("Accept", "application/json");
    if (token != null) headers.set("Authorization", `Bearer ${token}`);
    if (version != null) headers.set("Service-Version", version);
    for (const [name, value] of Object.entries(given ?? {})) headers.set(name, value);
    const streamed = typeof body === "object" ? { duplex: "half" } : {};
    return [this.settings.baseUrl + path, { method, headers, ...streamed, ...(body === undefined ? {} : { body }) }];
  }
}

interface Read {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Returns the seconds that a Retry-After asks for: 1 if it is neither a number of seconds nor an HTTP date. */
function secondsOf(retryAfter: string): number {
  if (/^\d+(\.\d+)?$/.test(retryAfter)) return Number(retryAfter);
  const date = / GMT$/.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(date) ? 1 : Math.max(0, date - Date.now()) / 1000;
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error(`a response of more than ${MAX_RESPONSE_BYTES} bytes`);
    parts.push(part);
  }
  return new TextDecoder().decode(await new Blob(parts as BlobPart[]).arrayBuffer());
}

function reasonOf(error: unknown, timeout: number): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string } };
  if (name === "TimeoutError") return `timeout after ${timeout} ms`;
  return cause?.code ?? message;
}

function answerOf(line: string, { json, body }: Sent, { status, headers, text }: Read): Answer {
  const shown = json === undefined ? body : JSON.stringify(json);
  const request = typeof shown === "string" ? `${line} ${shown}` : line;
  return { request, status, headers, body: parsed(text) };
}

/** Parses JSON; undefined for any other text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
