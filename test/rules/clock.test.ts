import { describe, expect, it } from "vitest";
import { openAdapter } from "../support/adapter.ts";

const READ = "GET /v1/products/";
const START = "2025-03-01T00:00:00.000Z";

describe("the clock of a mock", () => {
  it("adds up the units that it is advanced by, or advances to a moment", async () => {
    const { mock } = await openAdapter({ now: START });
    expect(mock.clock.now()).toEqual(new Date(START));
    const time = await mock.clock.advance({ days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 });
    expect(time).toEqual(new Date("2025-03-02T02:03:04.005Z"));
    expect(mock.clock.now()).toEqual(time);
    await mock.clock.advance({ minutes: 0.5 });
    expect(mock.clock.now()).toEqual(new Date("2025-03-02T02:03:34.005Z"));
    for (const to of ["2025-04-01T00:00:00Z", new Date("2025-04-02"), Date.parse("2025-04-03")]) {
      expect(await mock.clock.advance({ to })).toEqual(new Date(to));
    }
  });

  it("runs on from the time to which it was advanced", async () => {
    const { mock } = await openAdapter();
    const day = 24 * 3_600_000;
    expect(Math.abs(mock.clock.now().getTime() - Date.now())).toBeLessThan(5_000);
    const time = await mock.clock.advance({ days: 1 });
    expect(Math.abs(time.getTime() - Date.now() - day)).toBeLessThan(5_000);
    await expect.poll(() => mock.clock.now().getTime()).toBeGreaterThan(time.getTime());
  });

  it("is the time of records, requests and events", async () => {
    const { mock, client, send } = await openAdapter({ now: START });
    await mock.clock.advance({ hours: 1 });
    const at = "2025-03-01T01:00:00.000000Z";
    expect(mock.webhookEndpoints.create().created_at).toBe(at);
    await send(READ);
    expect(mock.requests.last()?.at).toBe(at);
    await client().events.ingest([{ name: "api.call", external_customer_id: "acme" }]);
    expect(mock.events.list()[0]?.timestamp).toBe(at);
  });

  it("G-401-BAD: lets a token expire", async () => {
    const { mock, send } = await openAdapter({ now: START });
    const token = mock.issueToken({ expiresIn: 3600 });
    await mock.clock.advance({ minutes: 59, seconds: 59.999 });
    expect((await send(READ, { token })).status).toBe(200);
    await mock.clock.advance({ milliseconds: 1 });
    expect(await send(READ, { token })).toMatchObject({ status: 401, body: { error: "invalid_token" } });
  });

  it("G-RATE: ends the window of a rate limit", async () => {
    const { mock, send } = await openAdapter({
      now: START,
      assumptions: { rateLimit: { requests: 1, windowSeconds: 60 } },
    });
    const token = mock.issueToken();
    const outcome = async () => {
      const { status, headers } = await send(READ, { token });
      return status === 429 ? headers.get("retry-after") : status;
    };
    expect([await outcome(), await outcome()]).toEqual([200, "60"]);
    await mock.clock.advance({ seconds: 59 });
    expect(await outcome()).toBe("1");
    await mock.clock.advance({ seconds: 1 });
    expect([await outcome(), await outcome()]).toEqual([200, "60"]);
  });
});

describe("reset and restore", () => {
  it("bring back the time by which the clock was advanced", async () => {
    const { mock } = await openAdapter({ now: START });
    await mock.clock.advance({ hours: 1 });
    const snapshot = mock.snapshot();
    await mock.clock.advance({ hours: 1 });
    mock.restore(snapshot);
    expect(mock.clock.now()).toEqual(new Date("2025-03-01T01:00:00Z"));
    mock.reset();
    expect(mock.clock.now()).toEqual(new Date(START));
  });
});

describe("an invalid time", () => {
  it.each([
    [{}, "clock.advance: pass `days`, `hours`, `minutes`, `seconds`, `milliseconds` or `to`."],
    [{ minuts: 1 }, 'clock.advance: unknown option "minuts". Did you mean "minutes"?'],
    [{ minutes: -1 }, "clock.advance: `minutes` must be a finite number of at least 0; received -1."],
    [{ to: "tomorrow" }, 'clock.advance: `to` must be a valid date; received "tomorrow".'],
    [
      { to: "2025-04-01", days: 1 },
      "clock.advance: pass `days`, `hours`, `minutes`, `seconds`, `milliseconds` or `to`, not both.",
    ],
    [
      { to: "2025-02-28T23:59:59Z" },
      "clock.advance: `to` must not be before the time of the mock, 2025-03-01T00:00:00.000000Z; received " +
        '"2025-02-28T23:59:59Z". To go back, use reset or restore.',
    ],
    [{ days: 1e9 }, "clock.advance: the time must not be after 9999-12-31T23:59:59.999000Z."],
  ])("%o is rejected, and the clock stays", async (time, message) => {
    const { mock } = await openAdapter({ now: START });
    await expect(mock.clock.advance(time as object)).rejects.toThrow(new TypeError(message));
    expect(mock.clock.now()).toEqual(new Date(START));
    expect(await mock.clock.advance({ seconds: 1 })).toEqual(new Date("2025-03-01T00:00:01Z"));
  });
});
