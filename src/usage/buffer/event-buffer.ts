import { Checks } from "../../errors/checks.ts";
import { type AnyUsageEvent, checkClient, serializeEvent, type UsageClient, type UsageEvent } from "../event.ts";
import { closeOnExit, Shutdown } from "./close.ts";
import { type EventBufferOptions, readBufferSettings } from "./options.ts";
import { EventQueue } from "./queue.ts";
import { type EventCounts, Reporter } from "./reporter.ts";
import { Shipper } from "./shipper.ts";

/** Numbers about a buffer. */
export interface BufferStats extends EventCounts {
  /** Events that are added and not yet removed, including events from earlier runs in a durable outbox. */
  readonly queued: number;
  /** The age of the oldest queued event, in milliseconds; undefined if none is queued. */
  readonly oldestAge: number | undefined;
}

/** Collects usage events and sends them in batches. Without type arguments, it accepts the events of every version. */
export interface EventBuffer<Event extends UsageEvent = AnyUsageEvent> extends AsyncDisposable {
  /**
   * Adds an event. Resolves when the event is in the outbox; the request follows later. Later changes to the object have no
   * effect. An event without `external_id` gets one, a UUID of version 7.
   *
   * @throws `InvalidInputError` if the event is not an object that JSON can represent, has no `name`, an empty
   * `external_id`, or more than 10 MiB.
   * @throws {@link EventBufferError} if the buffer is closed, or full and `whenFull` is `reject`.
   * @throws {@link OutboxError} if the outbox could not store the event. If it has no room, `whenFull` applies first.
   */
  add(event: Event): Promise<void>;
  /**
   * Sends what is queued, without waiting for full batches. Resolves when the service has stored or rejected every event
   * whose `add` was called before, and every event that was in the outbox, also if another process sends it. Waits through
   * outages.
   *
   * @throws The error that prevents sending until somebody changes something, for example a 401, or an
   * {@link OutboxError}. The events stay queued.
   */
  flush(): Promise<void>;
  /**
   * Rejects later calls of `add`, sends what is queued, and closes the outbox. Events that could not be sent stay in a
   * durable outbox. Calls after the first return the same promise.
   *
   * @param options.timeout Maximum time for sending, in milliseconds. Defaults to 30,000. `close` ends at most a second later.
   * @throws {@link EventBufferError} if the outbox is not durable and events are lost. `onDropped` receives them; the service may
   * have stored the events of an aborted request.
   * @throws {@link OutboxError} if the outbox cannot be closed.
   */
  close(options?: { readonly timeout?: number | undefined }): Promise<void>;
  /** Returns numbers about the buffer. */
  stats(): Promise<BufferStats>;
}

/** The key of `await using`; older runtimes lack the symbol. */
const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as never);

/**
 * Creates a buffer that collects usage events and sends them in batches. An event stays in the outbox until the service has
 * stored or rejected it, and failed requests are retried until they succeed. The default outbox is in memory: to keep events
 * through a crash of the process, pass a durable one.
 *
 * @param client A client of any version. The buffer replaces its retries.
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
  const reporter = new Reporter(settings.callbacks, settings.log);
  const queue: EventQueue = new EventQueue(settings, reporter, () => shipper);
  const shipper = new Shipper(client as UsageClient, settings, reporter, queue);
  const shutdown = new Shutdown(settings, queue, shipper, reporter);
  if (settings.closeOnExit) shutdown.afterwards(closeOnExit(() => shutdown.close()));
  return {
    add: (event) => add(queue, event),
    flush: () => shipper.flush(queue.added()),
    close: (closeOptions) => shutdown.close(closeOptions),
    stats: async (): Promise<BufferStats> => {
      const { events, oldest } = shutdown.finalState ?? (await outbox.state());
      return { queued: events, ...reporter.counts, oldestAge: oldest && Math.max(0, Date.now() - oldest) };
    },
    [asyncDispose]: () => shutdown.close(),
  };
}

const ADD = new Checks({ caller: "add" });

function add(queue: EventQueue, event: unknown): Promise<void> {
  try {
    return queue.add(serializeEvent(ADD, event));
  } catch (error) {
    return Promise.reject(error);
  }
}
