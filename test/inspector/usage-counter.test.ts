import { describe, expect, it } from "vitest";
import { type UsageSummary, usageOf } from "../../mock/control/usage.ts";
import type { StoredEvent } from "../../mock/state/records.ts";

const event = (second: number, name = "api.call"): StoredEvent => ({
  id: "",
  ingested_at: "2025-01-01T00:00:00.000000Z",
  organization_id: "o",
  name,
  timestamp: new Date(Date.UTC(2025, 0, 1) + second * 1000).toISOString(),
  metadata: {},
});

function countAll(events: readonly StoredEvent[]): UsageSummary {
  return usageOf({ list: () => events });
}

describe("usageOf", () => {
  it("starts with no events", () => {
    expect(countAll([])).toMatchObject({ total: 0, from: null, bars: [], names: [], newest: [] });
  });

  it("counts by name and by time, most frequent name first", () => {
    const events = [event(0), event(2, "email"), event(2), event(3)];
    expect(countAll(events)).toMatchObject({
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

  it("widens the step until 60 bars are enough, and loses no event", () => {
    const events = Array.from({ length: 5000 }, (_, index) => event(index * 60));
    const { step, bars, total } = countAll(events);
    expect(step).toBe(10_800);
    expect(bars.length).toBeLessThanOrEqual(60);
    expect([total, bars.reduce((sum, count) => sum + count, 0)]).toEqual([5000, 5000]);
  });

  it("lists the 20 most frequent names, and sums up the others", () => {
    const events = Array.from({ length: 25 }, (_, index) => event(0, `name ${index}`));
    const { names, others } = countAll([...events, event(0, "name 24")]);
    expect([names.length, names[0]?.name, others]).toEqual([20, "name 24", { names: 5, count: 5 }]);
  });

  it("shows the newest 100 events, newest first", () => {
    const events = Array.from({ length: 1_000 }, (_, index) => event(index));
    const { newest } = countAll(events);
    expect(newest).toHaveLength(100);
    expect([newest[0], newest[99]]).toEqual([events[999], events[900]]);
  });
});
