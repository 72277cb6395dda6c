import { expect, test } from "vitest";
import { openAdapter } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

const named = (...ids: string[]) => ids.map((external_id) => usage({ external_id }));
const large = (...letters: string[]) => named(...letters.map((letter) => letter.repeat(10_000)));

test.each([
  ["maxEvents", 3, "3 events", "--max-events", named],
  ["maxEventBytes", 120_000, "about 120000 bytes of events", "--max-event-bytes", large],
] as const)(
  "G-STORE: a batch that exceeds %s gets 507 and is not stored, until a reset",
  async (limit, value, what, option, events) => {
    const { mock, ingest } = await openAdapter({ [limit]: value });
    expect(await ingest(events("a", "b", "c"))).toMatchObject({ status: 200 });
    const detail = `The mock stores at most ${what}. Reset it, or raise ${limit} (${option}).`;
    expect(await ingest(events("d", "e"))).toMatchObject({
      status: 507,
      body: { error: "InsufficientStorage", detail },
    });
    expect(mock.events.size).toBe(3);
    expect(await ingest(events("a", "b", "c"))).toMatchObject({ status: 200, body: { inserted: 0, duplicates: 3 } });
    mock.reset();
    expect(await ingest(events("d", "e"))).toMatchObject({ status: 200 });
  },
);

test("G-STORE: the default is 100,000 events", async () => {
  const { mock, ingest } = await openAdapter();
  const batch = Array.from({ length: 10_000 }, () => usage());
  for (let count = 0; count < 10; count++) expect(await ingest(batch)).toMatchObject({ status: 200 });
  expect(await ingest([usage()])).toMatchObject({ status: 507 });
  expect(mock.events.size).toBe(100_000);
});
