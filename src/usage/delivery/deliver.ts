import { ResponseMismatchError } from "../../errors/index.ts";
import type { EventProblem, UsageClient, UsageEvent } from "../event/index.ts";
import { classifyFailure, type Verdict } from "./classify-failure.ts";
import { parseParcels } from "./parse-parcels.ts";
import { backoff, type RetryDelays, type RetryGate } from "./retry-gate.ts";

const OPERATION = "events:ingest";

type Counts = Awaited<ReturnType<UsageClient["events"]["ingest"]>>;

/** An event to send. */
export interface Parcel {
  readonly json: string;
  readonly bytes: number;
}

/** A parcel that will never be stored, with the reasons. */
export interface Refusal<Item extends Parcel> {
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

/** A request that failed and is repeated. */
export interface Failure {
  readonly error: Error;
  /** The number of consecutive failures of these events. */
  readonly attempt: number;
  /** Whether retrying has not helped and probably will not. A single such response may come from a proxy. */
  readonly isPermanent: boolean;
  /** The delay before the next attempt, in milliseconds, without a `Retry-After`. */
  readonly delay: number;
}

/** The client that events are sent with, the delays, and the functions that are told about the outcome. */
export interface Destination<Item extends Parcel> {
  readonly client: UsageClient;
  readonly gate: RetryGate;
  readonly delays: RetryDelays;
  /** Is called when events are stored. */
  stored(items: readonly Item[], result: Stored): Promise<void>;
  /** Is called when the service rejects events. */
  refused(refusals: readonly Refusal<Item>[]): Promise<void>;
  /** Is called before a retry. If it throws, the events are not sent again. */
  failed(failure: Failure, items: readonly Item[]): void;
}

/**
 * Sends events until the service has stored or rejected each of them.
 *
 * @throws The error of `failed`, or the reason of the gate's signal.
 */
export async function deliver<Item extends Parcel>(
  items: readonly Item[],
  destination: Destination<Item>,
): Promise<void> {
  const parts = [items];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) parts.push(...(await settle(part, destination)));
}

/** Sends events until the service has accepted or rejected the request. Returns the parts that are left, the first last. */
async function settle<Item extends Parcel>(
  items: readonly Item[],
  destination: Destination<Item>,
): Promise<readonly (readonly Item[])[]> {
  const parsed = parseParcels(items);
  if ("problems" in parsed) return refuse(items, parsed.problems, destination);
  let before: Verdict["kind"] | undefined;
  for (let attempt = 1, delay = 0; ; attempt += 1) {
    await destination.gate.pass(delay);
    const failure = await send(items, parsed.events, destination);
    if (failure === undefined) return [];
    if (destination.gate.signal.aborted) throw failure.error;
    const verdict = classifyFailure(failure.error, items.length);
    if (verdict.kind === "split") return halves(items);
    if (verdict.kind === "reject") return refuse(items, verdict.problems, destination);
    const isPermanent = verdict.kind === "permanent" && verdict.kind === before;
    before = verdict.kind;
    delay = prepareRetry({ error: failure.error, attempt, isPermanent }, verdict, items, destination);
  }
}

/** Sends one request. Returns its error, unless the events are stored. */
async function send<Item extends Parcel>(
  items: readonly Item[],
  events: readonly UsageEvent[],
  { client, gate, stored }: Destination<Item>,
): Promise<{ readonly error: Error } | undefined> {
  const started = performance.now();
  let result: Counts;
  try {
    result = await client.events.ingest(events, { maxRetries: 0, signal: gate.signal });
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error), { cause: error }) };
  }
  const { inserted, duplicates } = result;
  const duration = performance.now() - started;
  await stored(items, { inserted, duplicates, duration, mismatch: mismatchOf(result, items.length) });
  return undefined;
}

function mismatchOf(value: Counts, events: number): ResponseMismatchError | undefined {
  if (value.inserted + value.duplicates === events) return undefined;
  const counts = `${value.inserted} inserted and ${value.duplicates} duplicates`;
  const problem = `the service responded with ${counts} to a request with ${events} events; they may not all be stored`;
  const details = { operation: OPERATION, mismatches: [], value, status: 200 };
  return new ResponseMismatchError(`${OPERATION}: ${problem}`, details);
}

function halves<Item>(items: readonly Item[]): (readonly Item[])[] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(middle), items.slice(0, middle)];
}

async function refuse<Item extends Parcel>(
  items: readonly Item[],
  problems: ReadonlyMap<number, readonly EventProblem[]>,
  destination: Destination<Item>,
): Promise<readonly (readonly Item[])[]> {
  await destination.refused(
    items.flatMap((item, index) => {
      const own = problems.get(index);
      return own === undefined ? [] : [{ item, problems: own }];
    }),
  );
  const rest = items.filter((_, index) => !problems.has(index));
  return rest.length > 0 ? [rest] : [];
}

/** Reports a failure, and returns the delay before the next attempt. */
function prepareRetry<Item extends Parcel>(
  failure: Omit<Failure, "delay">,
  verdict: Verdict,
  items: readonly Item[],
  { gate, delays, failed }: Destination<Item>,
): number {
  const retryAfter = verdict.kind === "retry" ? verdict.retryAfter : undefined;
  if (retryAfter !== undefined) gate.closeFor(retryAfter);
  const { attempt, isPermanent } = failure;
  const delay = retryAfter === undefined ? backoff(isPermanent ? Number.MAX_SAFE_INTEGER : attempt, delays) : 0;
  failed({ ...failure, delay: retryAfter ?? delay }, items);
  return delay;
}
