import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createClient } from "#current";
import { addAll, buffered, eventsOf, service, through } from "./service.ts";

beforeEach(() => void vi.useFakeTimers());

/** Creates a buffer with the usual delays that logs to a spy. */
function logging(given = service(), options: Parameters<typeof buffered>[0] = {}) {
  const warn = vi.fn();
  const logger = { debug: () => {}, warn };
  const usual = { minRetryDelay: undefined, maxRetryDelay: undefined, maxDelay: 100, onError: undefined } as object;
  const warnings = () => warn.mock.calls.map(([message]) => message as string);
  return { ...buffered({ ...usual, ...options, logger, logLevel: "warn" }, given), warnings };
}

/** Lets time pass. Bodies are read in real turns of the event loop. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 100) {
    await vi.advanceTimersByTimeAsync(Math.min(left, 100));
    await turn();
  }
}

describe("an outage", () => {
  it.each([
    [{ status: 503 }, "cannot be sent", "events:ingest: 503"],
    [{ status: 401 }, "cannot be sent", "events:ingest: 401"],
    [{ status: 429 }, "wait for a rate limit", "events:ingest: 429"],
    [{ kind: "reset" }, "cannot be sent", "events:ingest: the connection failed (ECONNRESET)"],
  ] as const)(
    "of %o is logged when nothing has succeeded for 5 s, and when it is over",
    async (fault, state, reason) => {
      const { add, mock, usage, warnings } = logging();
      await add(1);
      await usage.flush();
      mock.fault(fault);
      const since = new Date(Date.now() + 100).toISOString().slice(0, -4);
      await add(2, 2);
      await pass(5_000);
      expect(warnings()).toEqual([]);
      await pass(5_000);
      mock.faults.clear();
      await pass(1_000);
      expect(warnings()).toEqual([
        expect.stringContaining(`Usage events ${state} since ${since}`),
        expect.stringMatching(/^Sending usage events works again after (9|10|11)(\.\d)? s\.$/),
      ]);
      expect(warnings()[0]).toContain(`Z: ${reason}`);
      expect(warnings()[0]).toMatch(/\. 2 wait\. The buffer keeps trying\.$/);
      expect(mock.events.size).toBe(3);
    },
  );

  it("of a known length is logged at once, with the time of the next attempt", async () => {
    const { add, mock, warnings } = logging();
    mock.fault({ status: 503, retryAfter: 60, times: 1 });
    await add(1);
    await pass(200);
    expect(warnings()).toEqual([expect.stringMatching(/503\. 1 wait\. The next attempt is in 60 s\.$/)]);
    await pass(61_000);
    expect(mock.events.size).toBe(1);
  });

  it("does not end with requests that were in progress when the service asked to wait", async () => {
    let requests = 0;
    const given = through(() => new Promise<undefined>((resolve) => setTimeout(resolve, ++requests * 100)));
    const { add, mock, warnings } = logging(given, { maxBatchEvents: 1 });
    mock.fault({ status: 429, retryAfter: 60, times: 1 });
    await add(4);
    await pass(1_000);
    expect(mock.events.size).toBe(3);
    expect(warnings()).toEqual([expect.stringContaining("The next attempt is in 60 s.")]);
    await pass(62_000);
    expect(warnings()[1]).toMatch(/^Sending usage events works again after 6\d/);
  });

  it("is not logged for a batch that fails while others are sent, which is logged after a minute, and delays others by at most a second", async () => {
    const given = through(async (request) => {
      const isBlocked = (await request.clone().text()).includes('"event-1"');
      return isBlocked ? new Response("<html>blocked</html>", { status: 422 }) : undefined;
    });
    const { add, mock, warnings } = logging(given);
    await add(1);
    await pass(200);
    for (let second = 1; second <= 70; second++) {
      await add(1, second + 1);
      await pass(1_000);
      expect(mock.events.size).toBeGreaterThanOrEqual(second - 1);
      if (second === 55) expect(warnings()).toEqual([]);
    }
    const problem = "A batch of 1 usage events fails, while others are sent: events:ingest: 422";
    expect(warnings()).toEqual([expect.stringContaining(problem)]);
  });

  it("ends two seconds after an access token is repaired", async () => {
    const { mock } = service();
    let token = "a-token-that-has-expired";
    const billing = createClient({ accessToken: () => token, fetch: mock.fetch, logLevel: "off" });
    const { add } = logging({ ...service(), billing });
    await add(1);
    await pass(300_000);
    token = mock.issueToken();
    await pass(2_000);
    expect(mock.events.size).toBe(1);
  });

  it("has about one request per second, and everything is stored within a second of its end", async () => {
    const { mock, usage } = logging(service(), { maxBatchEvents: 50 });
    const outage = mock.fault({ status: 503 });
    await addAll(usage, eventsOf(2_000));
    await pass(2_000);
    const before = mock.requests.count;
    await pass(60_000);
    expect(mock.requests.count - before).toBeGreaterThan(50);
    expect(mock.requests.count - before).toBeLessThan(130);
    mock.faults.remove(outage.id);
    await pass(1_000);
    expect(mock.events.size).toBe(2_000);
  });
});
