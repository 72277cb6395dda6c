import { describe, expect, it } from "vitest";
import { openAdapter } from "../support/adapter.ts";

const READ = "GET /v1/products/";
const START = "2025-03-01T00:00:00.000Z";

describe("the clock of a mock", () => {
  it("adds up the units that it is advanced by, or advances to a moment; a reset brings its time back", async () => {
    const { mock } = await openAdapter({ now: START });
    expect(mock.clock.now()).toEqual(new Date(START));
    const time = await mock.clock.advance({ days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 });
    expect(time).toEqual(new Date("2025-03-02T02:03:04.005Z"));
    expect(mock.clock.now()).toEqual(time);
    mock.checkpoint();
    await mock.clock.advance({ minutes: 0.5 });
    expect(mock.clock.now()).toEqual(new Date("2025-03-02T02:03:34.005Z"));
    for (const to of ["2025-04-01T00:00:00Z", new Date("2025-04-02"), Date.parse("2025-04-03")]) {
      expect(await mock.clock.advance({ to })).toEqual(new Date(to));
    }
    mock.reset();
    expect(mock.clock.now()).toEqual(time);
  });

  it("runs on from the time to which it was advanced", async () => {
    const { mock } = await openAdapter();
    const before = Date.now();
    expect(mock.clock.now().getTime()).toBeGreaterThanOrEqual(before);
    const time = (await mock.clock.advance({ days: 1 })).getTime() - 24 * 3_600_000;
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
    await expect.poll(() => mock.clock.now().getTime() - 24 * 3_600_000).toBeGreaterThan(time);
  });

  it("G-401-BAD: is the time of records and requests, and lets a token expire", async () => {
    const { mock, send } = await openAdapter({ now: START });
    const token = mock.issueToken({ expiresIn: 3600 });
    await mock.clock.advance({ minutes: 59, seconds: 59.999 });
    expect((await send(READ, { token })).status).toBe(200);
    await mock.clock.advance({ milliseconds: 1 });
    expect(await send(READ, { token })).toMatchObject({ status: 401, body: { error: "invalid_token" } });
    const at = "2025-03-01T01:00:00.000000Z";
    expect([mock.requests.last()?.at, mock.webhookEndpoints.create().created_at]).toEqual([at, at]);
  });
});

const PAST = "2025-02-28T23:59:59Z";
it.each([{}, { minuts: 1 }, { minutes: -1 }, { to: "tomorrow" }, { to: PAST }, { days: 1e9 }])(
  "an invalid time %o is rejected, and the clock stays",
  async (time) => {
    const { mock } = await openAdapter({ now: START });
    await expect(mock.clock.advance(time as object)).rejects.toThrow("clock.advance: ");
    expect(mock.clock.now()).toEqual(new Date(START));
    expect(await mock.clock.advance({ seconds: 1 })).toEqual(new Date("2025-03-01T00:00:01Z"));
  },
);
