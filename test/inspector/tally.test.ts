import { describe, expect, it } from "vitest";
import { Tally } from "../../mock/inspector/tally.ts";
import type { StoredEvent } from "../../mock/state/records.ts";

const event = (second: number, name = "api.call"): StoredEvent => ({
  id: "",
  ingested_at: "2025-01-01T00:00:00.000000Z",
  organization_id: "o",
  name,
  timestamp: new Date(Date.UTC(2025, 0, 1) + second * 1000).toISOString(),
  metadata: {},
});

describe("the counts of usage events", () => {
  it("are empty at first", () => {
    expect(new Tally().read([])).toMatchObject({ total: 0, from: null, bars: [], names: [], newest: [] });
  });

  it("are kept by name and by time, the name with the most events first", () => {
    const events = [event(0), event(2, "email"), event(2), event(3)];
    expect(new Tally().read(events)).toMatchObject({
      total: 4,
      from: Date.UTC(2025, 0, 1),
      step: 1,
      bars: [1, 0, 2, 1],
      names: [
        { name: "api.call", count: 3, bars: [1, 0, 1, 1] },
        { name: "email", count: 1, bars: [0, 0, 1, 0] },
      ],
    });
  });

  it("take wider steps until sixty bars are enough, and lose none", () => {
    const events = Array.from({ length: 5000 }, (_, index) => event(index * 60));
    const { step, bars, total } = new Tally().read(events);
    expect(step).toBe(10_800);
    expect(bars.length).toBeLessThanOrEqual(60);
    expect([total, bars.reduce((sum, count) => sum + count, 0)]).toEqual([5000, 5000]);
  });

  it("follow what is added, and begin anew where the events are other ones", () => {
    const tally = new Tally();
    const first = [event(0), event(1)];
    tally.read(first);
    expect(tally.read([...first, event(1)]).bars).toEqual([1, 2]);
    expect(tally.read([event(5)]).bars).toEqual([1]);
    expect(tally.read([event(7), event(8)]).total).toBe(2);
    expect(tally.read([]).total).toBe(0);
  });

  it("name the twenty names with the most events, and sum up the others", () => {
    const events = Array.from({ length: 25 }, (_, index) => event(0, `name ${index}`));
    const { names, others } = new Tally().read([...events, event(0, "name 24")]);
    expect([names.length, names[0]?.name, others]).toEqual([20, "name 24", { names: 5, count: 5 }]);
  });

  it("come quickly for hundreds of thousands of events: each is looked at once", () => {
    let looks = 0;
    const watched = (second: number) => {
      const { timestamp, ...rest } = event(second);
      return Object.defineProperty(rest, "timestamp", { get: () => [++looks, timestamp][1] }) as StoredEvent;
    };
    const events = Array.from({ length: 300_000 }, (_, index) => watched(index % 100_000));
    const tally = new Tally();
    tally.read(events);
    expect(tally.read([...events, watched(1)]).total).toBe(300_001);
    expect(looks).toBe(300_001);
  });
});
