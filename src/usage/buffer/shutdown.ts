import { describeValue } from "../../errors/describe-value.ts";
import { InvalidInputError } from "../../errors/index.ts";
import { LONGEST_DELAY } from "../options/check-options.ts";
import type { Outbox, OutboxState } from "../outbox/index.ts";
import { EventBufferError } from "./event-buffer-error.ts";
import type { Intake } from "./intake.ts";
import type { Reporter } from "./reporter.ts";
import type { BufferSettings } from "./settings.ts";
import type { Shipper } from "./shipper.ts";

const DEFAULT_TIMEOUT = 30_000;
/** The maximum time for ending what is in progress, in milliseconds. */
const GRACE = 5_000;
/** The number of events that are reported as dropped at a time. */
const AT_ONCE = { events: 1_000, bytes: 10_000_000 };

/** Closes a buffer once. */
export class Shutdown {
  readonly #settings: BufferSettings;
  readonly #intake: Intake;
  readonly #shipper: Shipper;
  readonly #reporter: Reporter;
  #closing: Promise<void> | undefined;
  #afterwards: () => void = () => {};
  #finalState: OutboxState | undefined;

  constructor(settings: BufferSettings, intake: Intake, shipper: Shipper, reporter: Reporter) {
    this.#settings = settings;
    this.#intake = intake;
    this.#shipper = shipper;
    this.#reporter = reporter;
  }

  /** The state of the outbox before it was closed. */
  get finalState(): OutboxState | undefined {
    return this.#finalState;
  }

  /** Calls a function when the buffer is closed. */
  afterwards(call: () => void): void {
    this.#afterwards = call;
  }

  /** Closes the buffer; every call returns the same promise. */
  close({ timeout = DEFAULT_TIMEOUT }: { readonly timeout?: number | undefined } = {}): Promise<void> {
    if (!(Number.isSafeInteger(timeout) && timeout >= 0 && timeout <= LONGEST_DELAY)) {
      const problem = `must be an integer from 0 to ${LONGEST_DELAY}; received ${describeValue(timeout)}`;
      return Promise.reject(new InvalidInputError("timeout", problem, { caller: "close" }));
    }
    this.#closing ??= this.#close(timeout).finally(this.#afterwards);
    return this.#closing;
  }

  async #close(timeout: number): Promise<void> {
    this.#intake.close();
    let failure: unknown;
    await within(timeout, this.#shipper.flush(this.#intake.added())).catch((error: unknown) => {
      failure = error;
    });
    this.#intake.rejectWaiting();
    // An outbox that does not answer, for example during an outage of Redis, must not keep the process running.
    await within(GRACE, this.#stop());
    const lost = await this.#closeOutbox(this.#settings.outbox);
    if (lost > 0) throw unsent(lost, timeout, failure);
  }

  /** Returns the number of lost events. */
  async #closeOutbox(outbox: Outbox): Promise<number> {
    try {
      const lost = outbox.durable === true ? 0 : await this.#dropRest(outbox);
      this.#finalState = await outbox.state();
      return lost;
    } finally {
      await outbox.close();
    }
  }

  async #stop(): Promise<void> {
    const stopped = this.#shipper.stop(new EventBufferError("closed", "the buffer is closed"));
    await Promise.all([this.#intake.settled(), stopped]);
  }

  async #dropRest(outbox: Outbox): Promise<number> {
    let lost = 0;
    for (let rest = await outbox.take(AT_ONCE); rest.length > 0; rest = await outbox.take(AT_ONCE)) {
      lost += rest.length;
      this.#reporter.dropped(rest, "closed");
      await outbox.confirm(rest);
    }
    return lost;
  }
}

/** Waits for a promise, but only for a number of milliseconds. */
async function within(ms: number, promise: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function unsent(events: number, timeout: number, cause: unknown): EventBufferError {
  const why = cause instanceof Error ? cause.message : `not sent within ${timeout} ms`;
  const lost = `lost ${events} ${events === 1 ? "event" : "events"} (${why})`;
  const advice = "They were passed to onDropped, if it is set. To keep events across restarts, use a durable outbox.";
  return new EventBufferError("unsent", `close: ${lost}. ${advice}`, { cause });
}
