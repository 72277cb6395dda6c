import { expect, it } from "vitest";
import { usageOf } from "../../mock/control/usage.ts";
import type { StoredEvent } from "../../mock/state/records.ts";

const event = (second: number, name = "api.call"): StoredEvent => ({
  id: "",
  ingested_at: "2025-01-01T00:00:00.000000Z",
  organization_id: "o",
  name,
  timestamp: new Date(Date.UTC(2025, 0, 1) + second * 1000).toISOString(),
  metadata: {},
});

const countAll = (events: readonly StoredEvent[]) => usageOf({ list: () => events });

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
  expect(countAll([])).toMatchObject({ total: 0, from: null, bars: [], names: [], newest: [] });
});

it("widens the step until 60 bars are enough, and lists the newest 100 events and 20 names", () => {
  const events = Array.from({ length: 5000 }, (_, index) => event(index * 60, `name ${index % 25}`));
  const { step, bars, newest, names, others } = countAll([...events, event(0, "name 24")]);
  expect(step).toBe(10_800);
  expect(bars.length).toBeLessThanOrEqual(60);
  expect(bars.reduce((sum, count) => sum + count, 0)).toBe(5001);
  expect([newest.length, newest[1], newest[99]]).toEqual([100, events[4999], events[4901]]);
  expect([names.length, names[0]?.name, others]).toEqual([20, "name 24", { names: 5, count: 1000 }]);
});
