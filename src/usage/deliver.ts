import { LONGEST_DELAY } from "../errors/checks.ts";
import { ResponseMismatchError } from "../errors/index.ts";
import { signalErrorOf } from "../errors/signal-error.ts";
import { asError, describeType } from "../values/describe.ts";
import { wait } from "../values/wait.ts";
import { classifyFailure, type Verdict } from "./classify-failure.ts";
import type { EventProblem, UsageClient, UsageEvent } from "./event.ts";
import type { NewOutboxEvent } from "./outbox.ts";

const OPERATION = "events:ingest";

type Counts = Awaited<ReturnType<UsageClient["events"]["ingest"]>>;

/** An event that will never be stored, with the reasons. */
export interface Rejection<Item> {
  readonly item: Item;
  readonly problems: readonly EventProblem[];
}

/** The result of a request that stored its events. */
export interface Stored {
  readonly inserted: number;
  readonly duplicates: number;
  /** The duration of the request in milliseconds. */
  readonly duration: number;
  /** Set if the numbers do not add up to the events of the request. */
  readonly mismatch: Error | undefined;
}

/** A failed request that will be retried. */
export interface Failure {
  readonly error: Error;
  /** The number of consecutive failures of these events. */
  readonly attempt: number;
  /** Whether retrying has not helped and probably will not. A single such response may come from a proxy. */
  readonly isPermanent: boolean;
  /** The delay before the next attempt, in milliseconds. */
  readonly delay: number;
}

/** The client that events are sent with, the delays, and the functions that are told about the outcome. */
export interface Destination<Item extends NewOutboxEvent> {
  readonly client: UsageClient;
  readonly gate: RetryGate;
  readonly delays: RetryDelays;
  /** Is called when events are stored. */
  stored(items: readonly Item[], result: Stored): Promise<void>;
  /** Is called when the service rejects events. */
  rejected(rejections: readonly Rejection<Item>[]): Promise<void>;
  /** Is called before a retry. If it throws, the events are not sent again. */
  failed(failure: Failure, items: readonly Item[]): void;
}

/**
 * Sends events until the service has stored or rejected each of them. `rejected` does not delay the others.
 *
 * @throws The error of `failed`, or the reason of the gate's signal.
 */
export async function deliver<Item extends NewOutboxEvent>(
  items: readonly Item[],
  destination: Destination<Item>,
): Promise<void> {
  const [parts, rejecting]: [(readonly Item[])[], Promise<void>[]] = [[items], []];
  const rejected = async (rejections: readonly Rejection<Item>[]): Promise<void> => {
    rejecting.push(destination.rejected(rejections));
    rejecting.at(-1)?.catch(() => undefined); // thrown at the end
  };
  try {
    for (let part = parts.pop(); part; part = parts.pop())
      parts.push(...(await settle(part, { ...destination, rejected })));
  } finally {
    await Promise.all(rejecting);
  }
}

/** Sends events until the service has accepted or rejected the request. Returns the parts that are left, the first last. */
async function settle<Item extends NewOutboxEvent>(
  items: readonly Item[],
  destination: Destination<Item>,
): Promise<readonly (readonly Item[])[]> {
  const { gate } = destination;
  const events = items.map(({ json }) => parseJson(json));
  const unreadable = events.flatMap((event, index) =>
    describeType(event) === "object" ? [] : [[index, [UNREADABLE]] as const],
  );
  if (unreadable.length > 0) return reject(items, new Map(unreadable), destination);
  let before: Verdict["action"] | undefined;
  for (let attempt = 1, delay = 0; ; attempt += 1) {
    await gate.pass(delay);
    const error = await send(items, events as UsageEvent[], destination);
    if (error === undefined) return [];
    if (gate.signal.aborted) throw error;
    const verdict = classifyFailure(error, items.length);
    const middle = Math.ceil(items.length / 2);
    if (verdict.action === "split") return [items.slice(middle), items.slice(0, middle)];
    if (verdict.action === "reject") return reject(items, verdict.problems, destination);
    const isPermanent = verdict.action === "permanent" && verdict.action === before;
    before = verdict.action;
    const retryAfter = verdict.retryAfter && Math.min(verdict.retryAfter, LONGEST_RETRY_AFTER);
    if (retryAfter !== undefined) gate.closeFor(retryAfter);
    delay = retryAfter === undefined ? backoff(isPermanent ? Number.MAX_SAFE_INTEGER : attempt, destination.delays) : 0;
    destination.failed({ error, attempt, isPermanent, delay: retryAfter ?? delay }, items);
  }
}

/** Sends one request. Returns its error, unless the events are stored. */
async function send<Item extends NewOutboxEvent>(
  items: readonly Item[],
  events: readonly UsageEvent[],
  { client, gate, stored }: Destination<Item>,
): Promise<Error | undefined> {
  const started = performance.now();
  let result: Stored;
  try {
    // With `onResponseMismatch: "ignore"`, the data may be null.
    const counts = { ...(await client.events.ingest(events, { maxRetries: 0, signal: gate.signal })) };
    const { inserted, duplicates } = counts;
    const duration = performance.now() - started;
    result = { inserted, duplicates, duration, mismatch: mismatchOf(counts, items.length) };
  } catch (error) {
    return asError(error);
  }
  await stored(items, result);
  return undefined;
}

function mismatchOf(value: Counts, events: number): ResponseMismatchError | undefined {
  const { inserted, duplicates } = value;
  if (inserted + duplicates === events && inserted >= 0 && duplicates >= 0) return undefined;
  const counts = `${inserted} inserted and ${duplicates} duplicates`;
  const problem = `the service responded with ${counts} to a request with ${events} events; they may not all be stored`;
  const details = { operation: OPERATION, mismatches: [], value, status: 200 };
  return new ResponseMismatchError(`${OPERATION}: ${problem}`, details);
}

async function reject<Item extends NewOutboxEvent>(
  items: readonly Item[],
  byIndex: ReadonlyMap<number, readonly EventProblem[]>,
  destination: Destination<Item>,
): Promise<readonly (readonly Item[])[]> {
  await destination.rejected([...byIndex].map(([index, problems]) => ({ item: items[index] as Item, problems })));
  const rest = items.filter((_, index) => !byIndex.has(index));
  return rest.length > 0 ? [rest] : [];
}

/** Returns the event as it was stored; the string if it is not valid JSON. */
export function parseStored({ json }: NewOutboxEvent): UsageEvent {
  return (parseJson(json) ?? json) as UsageEvent;
}

const UNREADABLE: EventProblem = {
  path: "",
  message: "the outbox returned an entry that is not a JSON object; another program may have written it",
  type: "invalid",
};

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Limits of the delay before a retry, in milliseconds. */
export interface RetryDelays {
  readonly min: number;
  readonly max: number;
}

/** The maximum `Retry-After` that is honoured, in milliseconds: one hour. */
const LONGEST_RETRY_AFTER = 3_600_000;

/** Returns the delay before a retry: it doubles with every attempt, and jitter shortens it by up to half. */
export function backoff(attempt: number, { min, max }: RetryDelays): number {
  const longest = Math.min(max, min * 2 ** Math.min(attempt - 1, 30), LONGEST_DELAY);
  return longest * (0.5 + Math.random() / 2);
}

/** Delays requests. After `Retry-After`, no request of the same gate is sent until the time has passed. */
export class RetryGate {
  readonly signal: AbortSignal;
  readonly #isRef: boolean;
  #opensAt = 0;
  #hurry = new AbortController();

  /** @param isRef Whether delays keep the process running. */
  constructor(signal: AbortSignal, isRef = true) {
    this.signal = signal;
    this.#isRef = isRef;
  }

  /** Closes the gate for a time that the service requested, in milliseconds. */
  closeFor(delay: number): void {
    this.#opensAt = Math.max(this.#opensAt, performance.now() + delay);
  }

  /** Ends the delays that the service did not request, to try again at once. */
  hurry(): void {
    this.#hurry.abort();
    this.#hurry = new AbortController();
  }

  /**
   * Waits for a number of milliseconds, and then until the gate is open.
   *
   * @throws {@link AbortedError} or {@link TimeoutError} when the signal aborts.
   */
  async pass(delay = 0): Promise<void> {
    if (this.signal.aborted) await this.#wait(0, this.signal);
    if (delay > 0) await this.pause(delay);
    for (let left = this.#left(); left > 0; left = this.#left()) await this.#wait(left, this.signal);
  }

  /** Waits for a promise. Rejects like `pass` when the signal aborts. */
  race<Value>(promise: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => void this.pass().catch(reject);
      if (this.signal.aborted) onAbort();
      this.signal.addEventListener("abort", onAbort, { once: true });
      promise.then(resolve, reject).finally(() => this.signal.removeEventListener("abort", onAbort));
    });
  }

  /** Waits for a number of milliseconds, even if the gate is closed for longer. Rejects like `pass`. */
  async pause(delay: number): Promise<void> {
    const either = AbortSignal.any([this.signal, this.#hurry.signal]);
    await this.#wait(delay, either).catch((error: unknown) => {
      if (this.signal.aborted) throw error;
    });
  }

  #left(): number {
    return Math.ceil(this.#opensAt - performance.now());
  }

  #wait(delay: number, signal: AbortSignal): Promise<void> {
    return wait(delay, signal, this.#isRef).catch(() => Promise.reject(signalErrorOf(signal, OPERATION)));
  }
}
