import { asError, isError } from "../../values/describe.ts";
import { within } from "../../values/wait.ts";
import { parseStored, takeFrom } from "../deliver.ts";
import type { UsageEvent } from "../event.ts";
import { isOutboxError, OutboxError, type OutboxState } from "../outbox.ts";
import { type Appender, EventBufferError } from "./appender.ts";
import type { BatchSender } from "./batch-sender.ts";
import { type BufferSettings, readTimeout } from "./options.ts";
import type { Reporter } from "./reporter.ts";

const DEFAULT_TIMEOUT = 30_000;
/** The times after the timeout at which each step of closing is given up, in milliseconds: below 1,000. */
const GIVE_UP = { stop: 350, drop: 500, close: 750 } as const;
/** The time before the timeout at which delays end, so that what is left is tried once more, in milliseconds. */
const LAST_ATTEMPT = 1_000;
/** The events that are taken back at a time. */
const AT_ONCE = { events: 1_000, bytes: 10_000_000 };

/** Closes a buffer once. Every step has a limit in time, because an outbox may not respond. */
export class Shutdown {
  readonly #settings: BufferSettings;
  readonly #appender: Appender;
  readonly #sender: BatchSender;
  readonly #reporter: Reporter;
  #closing: Promise<void> | undefined;
  /** The state of the outbox before it was closed. */
  finalState: OutboxState | undefined;

  constructor(settings: BufferSettings, appender: Appender, sender: BatchSender, reporter: Reporter) {
    this.#settings = settings;
    this.#appender = appender;
    this.#sender = sender;
    this.#reporter = reporter;
  }

  /** Closes the buffer; every call returns the same promise. */
  close(options?: { readonly timeout?: number | undefined }): Promise<void> {
    try {
      const timeout = readTimeout("close", options) ?? DEFAULT_TIMEOUT;
      this.#closing ??= this.#close(timeout);
      return this.#closing;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #close(timeout: number): Promise<void> {
    const end = performance.now() + timeout;
    const { gate } = this.#sender;
    this.#appender.close();
    gate.hurry(true);
    const lastAttempt = setTimeout(() => gate.hurry(true), Math.max(0, timeout - LAST_ATTEMPT));
    const flush = () => failure(before(end, this.#sender.flush(this.#appender.added())));
    const failed = await flush();
    // An outbox whose file was moved says so once, and then returns the events that no other process would find.
    const reason = isOutboxError(failed) && failed.reason === "foreign" ? await flush() : failed;
    clearTimeout(lastAttempt);
    const until = gate.askedDelay > 0 ? new Date(Date.now() + gate.askedDelay) : undefined;
    this.#report(await failure(before(end + GIVE_UP.stop, this.#stop())));
    this.#appender.abandon();
    const lost = await this.#takeBack(end + GIVE_UP.drop, until);
    const unclosed = await failure(before(end + GIVE_UP.close, this.#settings.outbox.close()));
    const cause = isOutboxError(reason) && reason.message === LATE ? this.#reporter.lastError : reason;
    if (lost.count > 0) throw unsent(lost, timeout, cause, until);
    if (unclosed !== undefined) throw unclosed;
  }

  async #stop(): Promise<void> {
    const stopped = this.#sender.stop(new EventBufferError("closed", "flush: the buffer is closed"));
    await Promise.all([this.#appender.stored(), stopped]);
  }

  /** Takes back what an outbox in memory would lose, and notes the final state. */
  async #takeBack(end: number, until: Date | undefined): Promise<Lost> {
    const { outbox, log } = this.#settings;
    const isDurable = outbox.durable === true;
    const lost: UsageEvent[] = [];
    const takeAll = async (): Promise<void> => {
      for (let rest = await takeFrom(outbox, AT_ONCE); rest.length > 0; rest = await takeFrom(outbox, AT_ONCE)) {
        lost.push(...rest.map(parseStored));
        this.#appender.removed(rest.length);
        await outbox.confirm(rest);
      }
    };
    if (!isDurable) this.#report(await failure(before(end, takeAll())));
    this.#reporter.counts.dropped += lost.length;
    this.finalState = await before(end, outbox.state()).catch((error: unknown) => {
      this.#report(error);
      return { events: this.#appender.queued, oldest: undefined };
    });
    const { events } = this.finalState;
    const { lastError } = this.#reporter;
    const why = lastError ? ` (${lastError.message}${waitsUntil(until)})` : "";
    // Other processes send the events of a shared outbox.
    if (isDurable && events > 0 && outbox.pollInterval === undefined)
      log.warn?.(`Usage events that stay in the outbox until the next start: ${events}${why}.`, { queued: events });
    return { count: isDurable ? 0 : lost.length + events, events: lost };
  }

  #report(error: unknown): void {
    if (error !== undefined) this.#reporter.error(error);
  }
}

/** Waits until a promise ends. Returns its error, or undefined if it has none. */
function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error ?? new Error(String(error)),
  );
}

const LATE = "close: the outbox did not respond in time";

/** Waits for a promise, but only until a time. */
function before<Value>(end: number, promise: Promise<Value>): Promise<Value> {
  const late = () => new OutboxError("unavailable", LATE);
  return within(Math.max(0, end - performance.now()), () => promise, late) as Promise<Value>;
}

/** The events that a closed buffer could not send. */
interface Lost {
  readonly count: number;
  /** Those that the outbox returned. */
  readonly events: readonly UsageEvent[];
}

function waitsUntil(until: Date | undefined): string {
  return until === undefined ? "" : `; the service asks to wait until ${until.toISOString()}`;
}

function unsent({ count, events }: Lost, timeout: number, cause: unknown, until: Date | undefined): EventBufferError {
  const why = isError(cause) ? asError(cause).message : `not sent within ${timeout} ms`;
  const unsent = `${count} ${count === 1 ? "event was" : "events were"} not sent (${why}${waitsUntil(until)})`;
  const advice = "error.events has them. To keep events across restarts, use a durable outbox.";
  return new EventBufferError("unsent", `close: ${unsent}. ${advice}`, { cause, events });
}
