import { expect, test } from "vitest";
import { createMock, type Mock } from "../../mock/index.ts";
import { ready } from "../support/command.ts";

/** Ingests events, given by their `external_id` or their fields. */
async function ingest(mock: Mock, ...given: readonly (string | object)[]) {
  const headers = { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json" };
  const events = given.map((event) => ({
    ...{ name: "call", external_customer_id: "c1" },
    ...(typeof event === "string" ? { external_id: event } : event),
  }));
  const init = { method: "POST", headers, body: JSON.stringify({ events }) };
  const response = await mock.fetch(`${mock.baseUrls[0]}/v1/events/ingest`, init);
  return { status: response.status, body: await response.json() };
}

test("G-STORE: a batch that exceeds maxEvents gets 507 and is not stored", async () => {
  const mock = createMock({ maxEvents: 3 });
  expect(await ingest(mock, "a", "b")).toMatchObject({ status: 200 });
  expect(await ingest(mock, "c", "d")).toEqual({
    status: 507,
    body: {
      error: "InsufficientStorage",
      detail: "The mock stores at most 3 events. Reset it, or raise maxEvents (--max-events).",
    },
  });
  expect(mock.events.size).toBe(2);
  expect(await ingest(mock, "c", "a", "b")).toMatchObject({ status: 200, body: { inserted: 1, duplicates: 2 } });
  mock.reset();
  expect(await ingest(mock, "d", "e")).toMatchObject({ status: 200 });
});

test("G-STORE: the default is 100,000 events", async () => {
  const mock = createMock();
  const batch = Array.from({ length: 10_000 }, () => ({}));
  for (let count = 0; count < 10; count++) expect(await ingest(mock, ...batch)).toMatchObject({ status: 200 });
  expect(await ingest(mock, "x")).toMatchObject({ status: 507 });
  expect(mock.events.size).toBe(100_000);
});

test("G-STORE: a batch that exceeds maxEventBytes gets 507 and is not stored, until a reset", async () => {
  const mock = createMock({ maxEventBytes: 50_000 });
  expect(await ingest(mock)).toMatchObject({ status: 200, body: { inserted: 0 } });
  const large = (name: string) => name.repeat(10_000);
  expect(await ingest(mock, large("a"), large("b"), large("c"))).toMatchObject({ status: 200 });
  expect(await ingest(mock, large("d"), large("e"))).toEqual({
    status: 507,
    body: {
      error: "InsufficientStorage",
      detail:
        "The mock stores at most about 50000 bytes of events. Reset it, or raise maxEventBytes (--max-event-bytes).",
    },
  });
  expect(mock.events.size).toBe(3);
  expect(await ingest(mock, large("a"), large("b"), large("c"))).toMatchObject({ body: { duplicates: 3 } });
  expect(await ingest(mock, large("d"))).toMatchObject({ status: 200 });
  expect(await ingest(mock, large("e"))).toMatchObject({ status: 507 });
  mock.reset();
  expect(await ingest(mock, large("e"))).toMatchObject({ status: 200 });
});

test("small values and events count for maxEventBytes with the memory that they take", async () => {
  const mock = createMock({ maxEventBytes: 50_000 });
  const metadata = { list: Array.from({ length: 1_000 }, () => ({})) };
  const send = async (events: readonly object[]) => (await ingest(mock, ...events)).status;
  expect(await send([{ metadata }, { metadata }])).toBe(507);
  expect(await send([{ metadata }])).toBe(200);
  expect(await send(Array.from({ length: 50 }, () => ({})))).toBe(507);
});

test("G-STORE: --max-events and --max-event-bytes set the limits", async () => {
  const { url, tokens } = await ready(["--max-events", "1", "--max-event-bytes", "20000"]);
  const headers = { authorization: `Bearer ${tokens.oat}`, "content-type": "application/json" };
  const event = { name: "call", external_customer_id: "c1" };
  for (const [events, limit] of [
    [[event, event], "1 events"],
    [[{ ...event, name: "x".repeat(20_000) }], "about 20000 bytes"],
  ] as const) {
    const init = { method: "POST", headers, body: JSON.stringify({ events }) };
    expect(await (await fetch(`${url}/v1/events/ingest`, init)).text()).toContain(`stores at most ${limit}`);
  }
}, 30_000);
