// Fills an outbox in SQLite while the service is away, then lets the service come back. A test limits the size of its files.
import { createMock } from "../../mock/index.ts";
import { createEventBuffer } from "../../src/usage/index.ts";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";
import { createClient } from "../../versions/2025-01/index.ts";

const [path = ""] = process.argv.slice(2);
const mock = createMock();
const outage = mock.fault({ status: 503 });
const billing = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch, logLevel: "off" });
const delays = { maxDelay: 5, minRetryDelay: 1, maxRetryDelay: 20, maxBatchEvents: 50 };
const usage = createEventBuffer(billing, {
  outbox: sqliteOutbox(path),
  whenFull: "reject",
  logLevel: "off",
  ...delays,
});
let added = 0;

/** Adds events until the outbox has no room. Returns the reason. */
async function fill(): Promise<unknown> {
  for (;;) {
    const event = { name: "api.call", external_customer_id: "acme", metadata: { note: "x".repeat(1_000) } };
    try {
      await usage.add(event);
      added += 1;
    } catch (error) {
      return (error as { reason: unknown }).reason;
    }
  }
}

const reason = await fill();
mock.faults.remove(outage.id);
const isEmpty = async () => (await usage.stats()).queued === 0;
while (!(await isEmpty())) await usage.flush();
const stored = mock.events.size;
await usage.add({ name: "api.call", external_customer_id: "acme" });
await usage.close();
console.log(JSON.stringify({ reason, added, stored, storedAtEnd: mock.events.size }));
