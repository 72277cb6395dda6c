import { Checks } from "../../errors/checks.ts";
import { checkClient, serializeEvent, type UsageClient, type UsageEvent } from "../event.ts";
import type { Outbox } from "../outbox.ts";
import { Appender } from "./appender.ts";
import { BatchSender } from "./batch-sender.ts";
import { Shutdown } from "./close.ts";
import { type EventBufferOptions, readBufferSettings, readTimeout } from "./options.ts";
import { type EventCounts, Reporter } from "./reporter.ts";

/** Buffer statistics. */
export interface BufferStats extends EventCounts {
  /** Number of events in the outbox, including events from earlier runs if it is durable; undefined while it fails. */
  readonly queued: number | undefined;
  /** The age of the oldest queued event, in milliseconds; undefined if none is queued, or while the outbox fails. */
  readonly oldestAge: number | undefined;
  /** Number of requests in progress. */
  readonly batchesInFlight: number;
}

declare global {
  // Lets the declarations compile without the library "esnext.disposable", which older projects lack.
  interface AsyncDisposable {}
}

/** Queues usage events and sends them in batches. `Event` is the version's type of events. */
export interface EventBuffer<Event extends UsageEvent> extends AsyncDisposable {
  /**
   * Adds an event. Resolves when the event is in the outbox, before it is sent. Later changes to the object have no effect. An
   * event without `external_id` receives one, a version 7 UUID.
   *
   * @throws `InvalidInputError` if the event is not a JSON object, has no `name` or an empty `external_id`, or does not fit
   * into a request of 10 MiB (assumption G-BODY-MAX).
   * @throws {@link EventBufferError} if the buffer is closed, or if it or the outbox is full.
   * @throws {@link OutboxError} if the outbox could not store the event. If the reason
   * is `unavailable`, the event may be stored: to add it again, pass the error's `event`, whose `external_id` makes it count
   * once.
   */
  add(event: Event): Promise<void>;
  /**
   * Sends the queued events without waiting for full batches. Resolves when the service has stored or rejected every event
   * that was added before the call, and every event that was already in the outbox, even if another process sends it. It
   * keeps retrying through outages.
   *
   * @param options.timeout Maximum time to wait, in milliseconds. Unlimited by default.
   * @throws {@link EventBufferError} if the time is over; the events stay queued, and `cause` is the last request's error. Also
   * if the buffer is closed.
   * @throws The error that prevents sending until you fix its cause, for example a 401 or an {@link OutboxError}. The events
   * stay queued.
   */
  flush(options?: { readonly timeout?: number | undefined }): Promise<void>;
  /**
   * Sends the queued events and closes the outbox. Later calls of `add` are rejected. Events that could not be sent stay in
   * the outbox if it is durable, and a warning is logged unless it is shared. Calling `close` again returns the same promise.
   *
   * @param options.timeout Maximum time for sending, in milliseconds. Defaults to 30,000. `close` ends at most a second later.
   * @throws {@link EventBufferError} if the outbox is not durable and events are lost. Its `events` has them. The service
   * may have stored some of them, if a request was aborted.
   * @throws {@link OutboxError} if the outbox cannot be closed, for example because Redis is down. A durable one keeps the
   * events.
   */
  close(options?: { readonly timeout?: number | undefined }): Promise<void>;
  /** Returns statistics. While the outbox fails, `queued` is undefined; this does not call `onError`. */
  stats(): Promise<BufferStats>;
}

/** The key of `await using`; older runtimes lack the symbol. */
const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as never);

const ADD = new Checks({ caller: "add" });

/** The outboxes of all buffers. A buffer closes its outbox, which must not end another buffer. */
const owned: WeakSet<Outbox> = new WeakSet();

/**
 * Creates a buffer that queues usage events and sends them in batches. An event stays in the outbox until the service has
 * stored it, or `onRejected` or `onUnconfirmed` has taken it over. Failed requests are retried until they succeed. The default
 * outbox is in memory: to keep events when the process crashes, pass a durable one.
 *
 * @param client A client of any version. The buffer retries instead of the client.
 * @example
 * ```ts
 * await using usage = createEventBuffer(billing, { outbox: sqliteOutbox("usage.db") });
 * await usage.add({ name: "api.call", external_customer_id: "acme" });
 * ```
 * @throws `InvalidInputError` when an option is unknown or invalid.
 */
export function createEventBuffer<Event extends UsageEvent>(
  client: UsageClient<Event>,
  options: EventBufferOptions<Event> = {},
): EventBuffer<Event> {
  const check = new Checks({ caller: "createEventBuffer" });
  checkClient(check, client);
  const settings = readBufferSettings(check, options as EventBufferOptions);
  const { outbox } = settings;
  if (owned.has(outbox)) throw check.fail("outbox", "belongs to another buffer; create one for each");
  owned.add(outbox);
  const reporter = new Reporter(settings.callbacks, settings.log);
  const appender: Appender = new Appender(settings, reporter, () => sender);
  const sender = new BatchSender(client as UsageClient, settings, reporter, appender);
  const shutdown = new Shutdown(settings, appender, sender, reporter);
  return {
    add: (event) => {
      try {
        return appender.add(serializeEvent(ADD, event));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    flush: async (flushOptions) => sender.flush(appender.added(), readTimeout("flush", flushOptions)),
    close: (closeOptions) => shutdown.close(closeOptions),
    stats: async (): Promise<BufferStats> => {
      const { events, oldest } = shutdown.finalState ?? (await outbox.state().catch(() => undefined)) ?? {};
      const oldestAge = oldest && Math.max(0, Date.now() - oldest);
      return { queued: events, ...reporter.stats, batchesInFlight: sender.gate.running, oldestAge };
    },
    [asyncDispose]: () => shutdown.close(),
  };
}
