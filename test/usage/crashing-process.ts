// Adds events to a buffer with an outbox in SQLite, and sends them. The test kills it and starts it again.
import { createEventBuffer } from "../../src/usage/index.ts";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";
import { createClient } from "../../versions/2025-01/index.ts";

/** What the process adds, and where it sends it. */
export interface Assignment {
  readonly baseUrl: string;
  readonly accessToken: string;
  readonly path: string;
  /** The number of events whose `add` has resolved in earlier processes. */
  readonly added: number;
  readonly total: number;
}

/** A message to the test. */
export type Message = { readonly added: number } | { readonly lost: unknown } | { readonly done: true };

const GROUP = 100;
const tell = (message: Message): void => void process.send?.(message);

process.on("message", async ({ baseUrl, accessToken, path, added, total }: Assignment) => {
  const billing = createClient({ baseUrl, accessToken, timeout: 500, logLevel: "off" });
  const usage = createEventBuffer(billing, {
    outbox: sqliteOutbox(path),
    maxBatchEvents: 250,
    maxQueued: 5_000,
    maxDelay: 20,
    minRetryDelay: 5,
    maxRetryDelay: 100,
    onRejected: (lost) => tell({ lost }),
    onDropped: (lost) => tell({ lost }),
    onError: () => {},
  });
  for (let next = added; next < total; next += GROUP) {
    await Promise.all(
      Array.from({ length: Math.min(GROUP, total - next) }, (_, index) => usage.add(eventOf(next + index))),
    );
    tell({ added: next + GROUP });
  }
  // A flush ends when two responses in a row are a 401.
  while ((await usage.stats()).queued > 0) await usage.flush().catch(() => {});
  await usage.close();
  tell({ done: true });
  process.disconnect();
});

function eventOf(index: number) {
  return { name: "api.call", external_customer_id: "acme", external_id: `event-${index}`, metadata: { index } };
}
