import { serializeEvent, type UsageClient, type UsageEvent } from "../event/index.ts";
import { checkClient } from "../options/check-options.ts";
import { closeOnExit } from "./close-on-exit.ts";
import type { BufferStats, EventBuffer } from "./event-buffer.ts";
import type { EventBufferOptions } from "./options.ts";
import { EventQueue, type QueueEvents } from "./queue.ts";
import { asError, Reporter } from "./reporter.ts";
import { type BufferSettings, readBufferSettings } from "./settings.ts";
import { Shipper } from "./shipper.ts";
import { Shutdown } from "./shutdown.ts";

/** The key of `await using`; older runtimes lack the symbol. */
const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as never);

/**
 * Creates a buffer that collects usage events and sends them in batches. An event stays in the outbox until the service has
 * stored or rejected it, and failed requests are retried until they succeed. The default outbox is in memory: to keep events
 * through a crash of the process, pass a durable one.
 *
 * @param client A client of any version. Its retries are replaced by those of the buffer.
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
  checkClient(client, "createEventBuffer");
  const settings = readBufferSettings(options as EventBufferOptions);
  const { outbox } = settings;
  const reporter = new Reporter(settings.callbacks, settings.log);
  const { queue, shipper } = connect(client as UsageClient, settings, reporter);
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

/** Is not an async function, so that the events of a group share one promise. */
function add(queue: EventQueue, event: unknown): Promise<void> {
  try {
    return queue.add(serializeEvent(event, "add"));
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Creates both sides of the outbox, and sends what an earlier process left in it. */
function connect(client: UsageClient, settings: BufferSettings, reporter: Reporter) {
  const counted = countEvents(settings, reporter);
  const queueEvents: QueueEvents = {
    stored: (events) => shipper.appended(events),
    dropped: (events) => reporter.dropped(events, "full"),
    waiting: () => shipper.ship(),
  };
  const queue = new EventQueue(settings, queueEvents, counted);
  const shipper = new Shipper(client, settings, reporter, {
    leased: (change) => queue.leased(change),
    removed: (events) => queue.removed(events),
    counted: (events) => queue.count(events),
    queued: () => queue.queued,
  });
  void counted.then((events) => (events > 0 ? shipper.ship() : undefined));
  return { queue, shipper };
}

async function countEvents({ outbox }: BufferSettings, reporter: Reporter): Promise<number> {
  try {
    return (await outbox.state()).events;
  } catch (error) {
    reporter.error(asError(error));
    return 0;
  }
}
