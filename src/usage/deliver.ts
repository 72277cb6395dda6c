import { isRateLimitError, ResponseMismatchError } from "../errors/index.ts";
import { asError, describeType, describeValue, ownField } from "../values/describe.ts";
import { eventsFor } from "../values/json.ts";
import { classifyFailure, isPage, type Verdict } from "./classify-failure.ts";
import { type EventProblem, sizeOf, type UsageClient, type UsageEvent } from "./event.ts";
import type { SendingGate } from "./gate.ts";
import type { NewOutboxEvent, Outbox, OutboxEvent, TakeLimit } from "./outbox.ts";

const OPERATION = "events:ingest";

/** An event that will never be stored, with the reasons. */
export interface Rejection<Item> {
  readonly item: Item;
  readonly problems: readonly EventProblem[];
}

/** The result of a request that stored its events. */
export interface Stored {
  readonly inserted: number;
  readonly duplicates: number;
  /** The reason why the response could not be read. The counts are then those of the request. */
  readonly problem: Error | undefined;
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
  /** The time since the first failure of these events, in milliseconds. */
  readonly failingFor: number;
}

/** The client that events are sent with, and the functions that are told about the outcome. */
export interface Destination<Item extends NewOutboxEvent> {
  readonly client: UsageClient;
  /** Headers of a request with more than one event. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly gate: SendingGate;
  /** Called when events are stored. */
  stored(items: readonly Item[], result: Stored): Promise<void>;
  /** Called when the service rejects events. */
  rejected(rejections: readonly Rejection<Item>[]): Promise<void>;
  /** Called when the counts of two responses to the same events did not add up. */
  unconfirmed(items: readonly Item[], error: ResponseMismatchError): Promise<void>;
  /** Called before a retry. If it throws, the events are not sent again. */
  failed(failure: Failure, items: readonly Item[]): void;
}

/** Events that are sent in one request. */
interface Part<Item> {
  readonly items: readonly Item[];
  /** Whether they were sent before, with a response that does not tell what became of each. */
  readonly isRepeated?: boolean;
}

/**
 * Sends events until the service has stored or rejected each of them. Reports the rejected ones after the others are stored.
 *
 * @throws The error of `failed` or `rejected`, or the reason of the gate's signal.
 */
export async function deliver<Item extends NewOutboxEvent>(
  items: readonly Item[],
  destination: Destination<Item>,
): Promise<void> {
  const [parts, rejections]: [Part<Item>[], Rejection<Item>[]] = [[{ items }], []];
  for (let part = parts.pop(); part; part = parts.pop()) parts.push(...(await settle(part, destination, rejections)));
  if (rejections.length > 0) await destination.rejected(rejections);
}

/** Sends events until the service has accepted or rejected the request. Returns the parts that are left, the first last. */
async function settle<Item extends NewOutboxEvent>(
  part: Part<Item>,
  destination: Destination<Item>,
  rejections: Rejection<Item>[],
): Promise<readonly Part<Item>[]> {
  const { items, isRepeated = false } = part;
  const written = isRepeated ? undefined : eventsFor(destination.client.events.ingest, items);
  const events = written ?? items.map(parseStored);
  const firstAt = performance.now();
  let before: Verdict["action"] | undefined;
  for (let attempt = 1, own = 0; ; attempt += 1) {
    const { verdict, error, startedAt } = await send(events, items, own, destination);
    const middle = Math.ceil(items.length / 2);
    if (verdict.action === "stored") return accept(part, verdict.data, error, destination);
    if (written && items.some(isForeign)) return [{ items, isRepeated: true }];
    if (verdict.action === "split") return [{ items: items.slice(middle) }, { items: items.slice(0, middle) }];
    if (verdict.action === "reject") {
      const { problems } = verdict;
      rejections.push(...[...problems].map(([index, found]) => ({ item: items[index] as Item, problems: found })));
      const rest = items.filter((_, index) => !problems.has(index));
      return rest.length > 0 ? [{ items: rest }] : [];
    }
    const isPermanent = verdict.action === "permanent" && verdict.action === before;
    before = verdict.action;
    const retryAfter = verdict.retryAfter && Math.min(verdict.retryAfter, LONGEST_RETRY_AFTER);
    const [delay, left] = destination.gate.fail(startedAt, attempt, isRateLimitError(error), retryAfter);
    own = left;
    const failingFor = performance.now() - firstAt;
    destination.failed({ error: error as Error, attempt, isPermanent, delay, failingFor }, items);
  }
}

/** Sends one request when the gate allows it, after a delay of its own. */
async function send(
  events: readonly UsageEvent[],
  items: readonly NewOutboxEvent[],
  delay: number,
  { client, gate, headers }: Pick<Destination<NewOutboxEvent>, "client" | "gate" | "headers">,
): Promise<{ verdict: Verdict; error: Error | undefined; startedAt: number }> {
  await gate.enter(delay);
  const startedAt = performance.now();
  let [verdict, error]: [Verdict | undefined, Error | undefined] = [undefined, undefined];
  try {
    const compressed = items.length > 1 ? { headers } : {};
    const call = client.events.ingest(events, { maxRetries: 0, signal: gate.signal, ...compressed });
    const data = await call;
    const isStored = countsOf(data) !== undefined || (await isFromService(call, data));
    verdict = isStored ? { action: "stored", data } : { action: "retry", retryAfter: undefined };
    if (!isStored)
      error = mismatchOf(data, "the response has no counts, and no version that shows that the service sent it");
  } catch (thrown) {
    error = asError(thrown);
    if (gate.signal.aborted) throw error;
    verdict = classifyFailure(error, items.length, sizeOf(items));
  } finally {
    gate.leave(verdict !== undefined && verdict.action !== "retry" && verdict.action !== "permanent");
  }
  return { verdict, error, startedAt };
}

/** The maximum `Retry-After` that is honoured, in milliseconds: one hour. */
const LONGEST_RETRY_AFTER = 3_600_000;

/** Reports stored events. If the counts do not add up, returns the events to send them once more: each has an `external_id`. */
async function accept<Item extends NewOutboxEvent>(
  { items, isRepeated }: Part<Item>,
  data: unknown,
  problem: Error | undefined,
  destination: Destination<Item>,
): Promise<readonly Part<Item>[]> {
  const { inserted, duplicates } = countsOf(data) ?? { inserted: items.length, duplicates: 0 };
  if (inserted + duplicates === items.length && inserted >= 0 && duplicates >= 0) {
    await destination.stored(items, { inserted, duplicates, problem });
    return [];
  }
  if (isRepeated !== true) return [{ items, isRepeated: true }];
  const counts = `${inserted} inserted and ${duplicates} duplicates`;
  const mismatch = `the service responded with ${counts} to a request with ${items.length} events`;
  await destination.unconfirmed(items, mismatchOf(data, mismatch));
  return [];
}

/** Returns the counts of a response, if it has them. A client may accept responses with another form. */
function countsOf(data: unknown): { readonly inserted: number; readonly duplicates: number } | undefined {
  const [inserted, duplicates] = [ownField(data, "inserted"), ownField(data, "duplicates")];
  return typeof inserted === "number" && typeof duplicates === "number" ? { inserted, duplicates } : undefined;
}

/** Whether the response of a call names a version, and is not the page of a proxy. A promise of your own does not tell. */
async function isFromService(call: PromiseLike<unknown>, data: unknown): Promise<boolean> {
  const { withResponse } = call as { withResponse?(): Promise<{ readonly version: string | undefined }> };
  return !isPage(data) && (await withResponse?.call(call))?.version !== undefined;
}

function mismatchOf(data: unknown, problem: string): ResponseMismatchError {
  return new ResponseMismatchError(`${OPERATION}: ${problem}`, {
    ...{ operation: OPERATION, mismatches: [], data, status: 200, version: undefined },
  });
}

/** Returns the event as it was stored; the string if it is not valid JSON. */
export function parseStored({ json }: NewOutboxEvent): UsageEvent {
  try {
    return JSON.parse(json) ?? json;
  } catch {
    return json as never;
  }
}

/** Whether an entry is not one object, and so moves those after it in the list that is sent. Parsed, it has one place. */
function isForeign(item: NewOutboxEvent): boolean {
  return describeType(parseStored(item)) !== "object";
}

/** Takes events. Fails if the driver of a database has parsed their JSON, whose text is needed. */
export async function takeFrom(outbox: Outbox, limit: TakeLimit): Promise<readonly OutboxEvent[]> {
  const events = await outbox.take(limit);
  const other = events.find(({ json }) => typeof json !== "string");
  if (other === undefined) return events;
  await outbox.release(events).catch(() => undefined);
  const received = describeValue(other.json);
  throw new TypeError(`take of the outbox must return the text of an event in json; it returned ${received}`);
}
