import { readRetryAfter } from "../src/client/retry.ts";
import { readBytes } from "../src/values/bytes.ts";
import { describeValue } from "../src/values/describe.ts";
import { NotObservable } from "./report.ts";
import { fieldsOf, parsed, ServiceResponse } from "./service-response.ts";
import type { ConformanceToken, Settings } from "./settings.ts";

/** A request. */
export interface Sent {
  /** The token; null for none. */
  readonly token?: string | null;
  /** Whether the token is known to be allowed to send it. */
  readonly isAllowed?: boolean;
  /** The version that the header names; null for no header. */
  readonly version?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value to send as JSON. */
  readonly json?: unknown;
  /** A body to send unchanged, as JSON unless the headers set another content type. */
  readonly body?: string | ReadableStream<Uint8Array>;
  /** Whether to send the request although the run is aborted. */
  readonly cleanup?: boolean;
}

interface Read {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON body; undefined if the body is empty or not JSON. */
  readonly body: unknown;
}

/** The path of webhook endpoints. */
export const ENDPOINTS = "/v1/webhooks/endpoints";
/** Replaces tokens in reports. */
const TOKEN = "<token>";
/** The time before a request is sent again after a 5xx, in milliseconds; it doubles each time. */
const FIRST_PAUSE = 50;
/** The statuses of a gateway that could not reach the service. */
const GATEWAY = [502, 503, 504];
/** The errors of requests that did not reach a server. */
const UNSENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"];
/** The longest time to wait after a 429, in seconds: before and after the run was aborted. */
const [MAX_WAIT_SECONDS, MAX_CLEANUP_SECONDS] = [300, 60];
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/** The longest text of a report, in characters. */
const MAX_TEXT = 500;
const [MAX_ATTEMPTS, MAX_5XX_ATTEMPTS] = [3, 4];
const MAX_FAILURES = 3;
/** The minimum length of an id that is hidden, in characters: a shorter one may be a word. */
const LEAST_ID = 8;

/**
 * Sends the requests of a run one at a time: paced, bounded in time and size, and again after a 5xx or when a 429 says when.
 * Remembers what the run created, and what a report must not contain.
 */
export class Requester {
  readonly settings: Settings;
  /** Eight hexadecimal digits, which the names and ids of everything that the run creates begin with. */
  readonly run: string = crypto.randomUUID().slice(0, 8);
  /** Texts that a report must not contain, and what it shows instead. */
  readonly #hidden = new Map<string, string>();
  /** The tokens that the service accepts; all of them before it was asked. */
  tokens: readonly ConformanceToken[];
  /** The endpoints that the run created and has not disabled yet, with the tokens that created them. */
  readonly endpoints: Map<string, string> = new Map();
  /** The number of endpoints that the run tried to create. */
  created = 0;
  /** The number of 5xx after which the same request succeeded. */
  disturbances = 0;
  /** The names or URLs of endpoints that may have been created: no response shows it. */
  readonly lost: string[] = [];
  /** The results of functions that run once. */
  readonly #results = new Map<string, Promise<unknown>>();
  /** The number of requests that were sent. */
  requests = 0;
  /** Whether so many consecutive requests failed that the run sends no others. */
  ended = false;
  #last = Number.NEGATIVE_INFINITY;
  /** The time that passed only by the run's own clock, in milliseconds. */
  #skipped = 0;
  /** The failures since the last response. */
  readonly #failures: string[] = [];

  constructor(settings: Settings) {
    this.settings = settings;
    this.tokens = settings.tokens;
    for (const { token, organizationId } of settings.tokens) {
      this.conceal(token, TOKEN);
      this.conceal(organizationId, "<organization>");
    }
    this.conceal(settings.organizationId, "<organization>");
    this.conceal(settings.customerId, "<customer>");
    for (const id of [settings.endpointId, settings.endpointId?.toUpperCase()]) this.conceal(id, "<endpoint>");
  }

  /**
   * Sends one request, written as `METHOD /path`.
   *
   * @throws NotObservable if no response arrives, or the run has ended.
   */
  async send(line: string, sent: Sent): Promise<ServiceResponse> {
    const [method = "", path = ""] = line.split(" ");
    const { token, version, json, cleanup } = sent;
    const body = json === undefined ? sent.body : JSON.stringify(json);
    const headers = {
      Accept: "application/json",
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(token != null && { Authorization: `Bearer ${token}` }),
      ...(version != null && { "Service-Version": version }),
      ...sent.headers,
    };
    const init = { method, headers, duplex: "half", ...(body !== undefined && { body }) };
    const request = typeof body === "string" ? `${line} ${body}` : line;
    const mayBeDenied = !sent.isAllowed && this.settings.tokens.some((each) => each.token === token);
    for (let attempt = 1; ; attempt++) {
      const read = await this.#fetch(this.settings.baseUrl + path, init, cleanup);
      const response = new ServiceResponse(request, read, mayBeDenied);
      if (response.status === 429) await this.#waitAsAsked(response, attempt, cleanup);
      else if (response.status < 500 || attempt === MAX_5XX_ATTEMPTS) {
        if (GATEWAY.includes(response.status)) throw this.#failure(`${response.summary} after ${attempt} attempts`);
        if (attempt > 1 && response.status < 500) this.disturbances += 1;
        return response;
      } else await this.#sleep(FIRST_PAUSE * 2 ** (attempt - 1), cleanup);
    }
  }

  /** Sends one request, and reads the response. */
  async #fetch(url: string, init: RequestInit, cleanup = false): Promise<Read> {
    const { signal, timeout, fetch } = this.settings;
    if (!cleanup) this.requireRunning();
    await this.#pace(cleanup);
    if (!cleanup) this.requireRunning();
    const creates = init.method === "POST" && url.endsWith(ENDPOINTS);
    this.requests += 1;
    this.created += Number(creates);
    // What may have been created must be known, to disable it.
    const interruption = cleanup || creates ? undefined : signal;
    const signals = [AbortSignal.timeout(timeout), ...(interruption ? [interruption] : [])];
    let read: Read;
    try {
      read = await readOf(await fetch(url, { redirect: "manual", ...init, signal: AbortSignal.any(signals) }));
    } catch (error) {
      if (interruption?.aborted) throw new NotObservable("the run was aborted");
      const reason = reasonOf(error, timeout);
      if (creates && !UNSENT.includes(reason)) this.#remember(init, { status: 500 });
      throw this.#failure(`no response: ${reason}`);
    }
    if (creates) this.#remember(init, read);
    if (read.status !== 429 && read.status < 500) this.#failures.length = 0;
    return read;
  }

  /** Returns the result of a function that runs once. */
  once<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
    const result = (this.#results.get(key) as Promise<Result> | undefined) ?? run();
    this.#results.set(key, result);
    return result;
  }

  /** Returns the time in milliseconds, including the time that the run waited by its own clock. */
  now(): number {
    return performance.now() + this.#skipped;
  }

  /** Waits. Throws {@link NotObservable} if the run must not continue. */
  async pause(milliseconds: number): Promise<void> {
    await this.#sleep(milliseconds);
    this.requireRunning();
  }

  async #sleep(milliseconds: number, cleanup = false): Promise<void> {
    const end = this.now() + milliseconds;
    const { sleep, signal } = this.settings;
    // An abort ends it early.
    await Promise.resolve(sleep(milliseconds, cleanup ? undefined : signal)).catch(() => undefined);
    this.#skipped += Math.max(0, end - this.now());
  }

  /** Throws {@link NotObservable} if the run must not send further requests. */
  requireRunning(): void {
    if (this.settings.signal?.aborted) throw new NotObservable("the run was aborted");
    if (this.ended)
      throw new NotObservable(`${MAX_FAILURES} consecutive requests failed, the last with ${this.lastFailure}`);
  }

  /** Disables one of the run's endpoints, even if the run has ended. Returns whether a response shows that it is disabled. */
  async disable(id: string): Promise<boolean> {
    const token = this.endpoints.get(id) ?? null;
    for (const [method, fields] of [["PATCH", { json: { enabled: false } }], ["GET"]] as const) {
      const sent = { token, cleanup: true, ...fields };
      const response = await this.send(`${method} ${ENDPOINTS}/${id}`, sent).catch(() => undefined);
      if (response && response.status < 300 && response.fields["enabled"] === false)
        return this.endpoints.delete(id) || true;
    }
    return false;
  }

  /** Replaces secrets and ids, and cuts the text, in this order: a part of an id would remain otherwise. */
  hide(text: string, most: number = MAX_TEXT): string {
    let shown = text;
    // A token may be the beginning of another.
    for (const [hidden, name] of [...this.#hidden].sort(([one], [other]) => other.length - one.length))
      shown = shown.replaceAll(hidden, name);
    return shown.length <= most ? shown : `${shown.slice(0, most)}… (${shown.length} characters)`;
  }

  /** Remembers an endpoint, to disable it at the end; its name, or its URL, if no response shows whether there is one. */
  #remember({ headers, body: sent }: RequestInit, { status, body, headers: received }: Partial<Read>): void {
    const { id } = fieldsOf(body);
    // A gateway that cannot reach the service has created nothing.
    const isLost = status === 500 || status === 504 || (Number(status) > 500 && received?.has("service-version"));
    const { name, url } = fieldsOf(parsed(String(sent)));
    const token = new Headers(headers).get("authorization")?.replace("Bearer ", "");
    if (Number(status) < 300 && typeof id === "string") this.endpoints.set(id, token ?? "");
    else if (Number(status) < 300 || isLost) this.lost.push(String(name ?? url));
  }

  /** Hides a text, which requests may contain, from reports. Responses are described without their texts. */
  conceal(text: string | undefined, name: string): void {
    if (text && (name === TOKEN || text.length >= LEAST_ID)) this.#hidden.set(text, name);
  }

  /** The reason why the last request got no response. */
  get lastFailure(): string | undefined {
    return this.#failures.at(-1);
  }

  async #pace(cleanup: boolean): Promise<void> {
    const wait = this.#last + 1000 / this.settings.requestsPerSecond - this.now();
    if (wait > 0) await this.#sleep(wait, cleanup);
    this.#last = this.now();
  }

  async #waitAsAsked({ headers }: Pick<Read, "headers">, attempt: number, cleanup = false): Promise<void> {
    const seconds = readRetryAfter(headers) ?? 1;
    const longest = this.settings.signal?.aborted ? MAX_CLEANUP_SECONDS : MAX_WAIT_SECONDS;
    if (attempt < MAX_ATTEMPTS && seconds <= longest) return this.#sleep(seconds * 1000, cleanup);
    const asked = headers.get("retry-after");
    const wait = asked === null ? "no Retry-After" : `Retry-After: ${describeValue(asked)}`;
    throw this.#failure(`429 after ${attempt} attempts, with ${wait}`);
  }

  #failure(reason: string): NotObservable {
    this.#failures.push(reason);
    this.ended ||= this.#failures.length >= MAX_FAILURES;
    return new NotObservable(reason);
  }
}

async function readOf({ status, headers, body: stream }: Response): Promise<Read> {
  const bytes = stream ? await readBytes(stream.getReader(), MAX_RESPONSE_BYTES) : new Uint8Array();
  if (!bytes) throw new Error(`a response of more than ${MAX_RESPONSE_BYTES} bytes`);
  const text = new TextDecoder().decode(bytes);
  return { status, headers, text, body: parsed(text) };
}

function reasonOf(error: unknown, timeout: number): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string } };
  return name === "TimeoutError" ? `timeout after ${timeout} ms` : (cause?.code ?? message);
}
