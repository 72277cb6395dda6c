import { expect, test } from "vitest";
import { openAdapter } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

test("G-STORE: a batch that exceeds maxEvents gets 507 and is not stored, until a reset", async () => {
  const { mock, ingest } = await openAdapter({ maxEvents: 3 });
  const send = (...ids: string[]) => ingest(ids.map((external_id) => usage({ external_id })));
  expect(await send("a", "b", "c")).toMatchObject({ status: 200 });
  const detail = "The mock stores at most 3 events. Reset it, or raise maxEvents (--max-events).";
  expect(await send("d", "e")).toMatchObject({ status: 507, body: { error: "InsufficientStorage", detail } });
  expect(mock.events.size).toBe(3);
  expect(await send("a", "b", "c")).toMatchObject({ status: 200, body: { inserted: 0, duplicates: 3 } });
  mock.reset();
  expect(await send("d", "e")).toMatchObject({ status: 200 });
});

test("G-STORE: the default is 100,000 events", async () => {
  const { mock, ingest } = await openAdapter();
  const batch = Array.from({ length: 10_000 }, () => usage());
  for (let count = 0; count < 10; count++) expect(await ingest(batch)).toMatchObject({ status: 200 });
  expect(await ingest([usage()])).toMatchObject({ status: 507 });
  expect(mock.events.size).toBe(100_000);
});
