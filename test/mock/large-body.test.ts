import { describe, expect, it } from "vitest";
import { createMock, type MockOptions, type StoredEvent } from "../../mock/index.ts";
import { usage } from "../support/samples.ts";

const turn = () => new Promise(setImmediate);

/** A mock, and a function that sends a batch to it. */
function ingesting(options: MockOptions = {}) {
  const { assumptions, ...others } = options;
  const mock = createMock({
    seed: 1,
    maxEvents: 1_000_000,
    ...others,
    assumptions: { maxBatchSize: Number.POSITIVE_INFINITY, ...assumptions },
  });
  const token = mock.issueToken();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const url = `${mock.baseUrls[0]}/v1`;
  const send = (body: object) =>
    mock.fetch(`${url}/events/ingest`, { method: "POST", headers, body: JSON.stringify(body) });
  const ingest = (events: readonly object[]) => send({ events });
  return { mock, token, send, ingest, read: () => mock.fetch(`${url}/products/`, { headers }) };
}

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
const batch = (size: number) => Array.from({ length: size }, () => usage());

describe("a large body", () => {
  it("does not block other requests while it is checked", async () => {
    const { ingest, read } = ingesting();
    let answered = 0;
    let over = false;
    const end = ingest(batch(60_000)).finally(() => {
      over = true;
    });
    while (!over) {
      await turn();
      if ((await read()).status === 200) answered += 1;
    }
    expect(await (await end).json()).toEqual({ inserted: 60_000, duplicates: 0 });
    expect(answered).toBeGreaterThan(4);
  });

  it("does not block other requests while many names are parsed, and is stored as a smaller one", async () => {
    const { mock, ingest } = ingesting();
    let turns = 0;
    let over = false;
    const end = ingest([{ ...usage({ metadata: names(1000) }), ...names(150_000) }]).finally(() => {
      over = true;
    });
    for (; !over; turns++) await turn();
    expect(await (await end).json()).toEqual({ inserted: 1, duplicates: 0 });
    expect(turns).toBeGreaterThan(4);
    const { id, ingested_at, organization_id, timestamp, ...event } = mock.events.list()[0] as StoredEvent;
    expect(Object.keys(event).sort()).toEqual(["customer_id", "metadata", "name"]);
    expect(event.metadata).toEqual(names(1000));
  });

  it("G-422-INPUT: is not repeated in a 422 if it has many names", async () => {
    const { send } = ingesting();
    const response = await send(names(20_000));
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      detail: [{ loc: ["body", "events"], msg: "Field required", type: "missing" }],
    });
  });

  it("G-401-BAD: stores nothing if its credential is revoked meanwhile", async () => {
    const { mock, token, ingest, read } = ingesting();
    const answer = ingest(batch(60_000));
    for (let turns = 0; turns < 3; turns++) await turn();
    mock.revokeToken(token);
    expect((await read()).status).toBe(401);
    expect((await answer).status).toBe(401);
    expect(mock.events.size).toBe(0);
  });
});

describe("a large batch whose body was checked", () => {
  const SIZE = 100_000;

  /** Does something once, between two slices of the work that prepares a batch. */
  function whilePreparing(act: () => void) {
    let isFirst = true;
    return (event: { readonly external_id?: string }) => {
      if (isFirst) setImmediate(act);
      isFirst = false;
      return event.external_id;
    };
  }

  it("does not block other requests while it is prepared", async () => {
    let turns = 0;
    let turnsWithWork = 0;
    let last = -1;
    const duplicateKey = () => {
      if (last !== turns) turnsWithWork += 1;
      last = turns;
      return undefined;
    };
    const { ingest } = ingesting({ assumptions: { duplicateKey } });
    let over = false;
    const answer = ingest(batch(SIZE)).finally(() => {
      over = true;
    });
    for (; !over; turns++) await turn();
    expect((await answer).status).toBe(200);
    expect(turnsWithWork).toBeGreaterThan(1);
  });

  it("is stored as a whole: no request sees a part of it", async () => {
    const { mock, ingest } = ingesting();
    const sizes = new Set<number>();
    let over = false;
    const answer = ingest(batch(SIZE)).finally(() => {
      over = true;
    });
    while (!over) {
      await turn();
      sizes.add(mock.events.size);
    }
    await answer;
    expect([...sizes]).toEqual([0, SIZE]);
  });

  it("is checked again if a customer is deleted meanwhile", async () => {
    const duplicateKey = whilePreparing(() => mock.customers.delete(one.id));
    const { mock, ingest } = ingesting({ assumptions: { unknownCustomers: "reject", duplicateKey } });
    const [one, others] = [mock.customers.create(), mock.customers.create()];
    const events = Array.from({ length: SIZE }, (_, index) => ({
      name: "api.call",
      customer_id: index === 0 ? one.id : others.id,
    }));
    const answer = await ingest(events);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ detail: [{ loc: ["body", "events", 0, "customer_id"] }] });
    expect(mock.events.size).toBe(0);
  });

  it("has ids that no later event gets, also if the mock is restored meanwhile", async () => {
    const duplicateKey = whilePreparing(() => mock.restore(snapshot));
    const { mock, ingest } = ingesting({ assumptions: { duplicateKey } });
    const snapshot = mock.snapshot();
    expect((await ingest(batch(SIZE))).status).toBe(200);
    expect((await ingest(batch(10))).status).toBe(200);
    expect(mock.events.list()).toHaveLength(SIZE + 10);
  });

  it.each([1, 2, 3, 4])("has such ids also if the mock is restored when all is prepared (%i)", async (ticks) => {
    let left = SIZE;
    const duplicateKey = () => {
      left -= 1;
      if (left === 0) void restoreAfter(ticks);
      return undefined;
    };
    const { mock, ingest } = ingesting({ assumptions: { duplicateKey } });
    const snapshot = mock.snapshot();
    const restoreAfter = async (count: number) => {
      for (let tick = 0; tick < count; tick++) await undefined;
      mock.restore(snapshot);
    };
    expect((await ingest(batch(SIZE))).status).toBe(200);
    const stored = mock.events.size;
    expect((await ingest(batch(10))).status).toBe(200);
    expect(mock.events.list()).toHaveLength(stored + 10);
  });

  it("G-EVT-DUP: has a duplicate if an equal event is stored meanwhile", async () => {
    const events = [usage({ external_id: "same" }), ...batch(SIZE)];
    let other: Promise<Response> | undefined;
    const duplicateKey = whilePreparing(() => {
      other = ingest([usage({ external_id: "same" })]);
    });
    const { mock, ingest } = ingesting({ assumptions: { duplicateKey } });
    expect(await (await ingest(events)).json()).toEqual({ inserted: SIZE, duplicates: 1 });
    expect(await (await other)?.json()).toEqual({ inserted: 1, duplicates: 0 });
    expect(mock.events.size).toBe(SIZE + 1);
  });
});
