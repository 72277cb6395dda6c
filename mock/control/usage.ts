import type { StoredEvent } from "../state/records.ts";
import type { Table } from "../state/state.ts";

/** The number of usage events with one name, in total and over time. */
export interface UsageSeries {
  readonly name: string;
  readonly count: number;
  /** The number of events per step of time, beginning at `from`. */
  readonly bars: readonly number[];
}

/** The usage events, counted by name and over time. */
export interface UsageSummary {
  readonly total: number;
  /** The start of the first bar, in milliseconds since 1970; null without events. */
  readonly from: number | null;
  /** The time that each bar covers, in seconds. */
  readonly step: number;
  /** The number of events of all names per step of time, beginning at `from`. */
  readonly bars: readonly number[];
  /** The 20 names with the most events, most frequent first. */
  readonly names: readonly UsageSeries[];
  /** The number of names not listed in `names`, and of their events. */
  readonly others: { readonly names: number; readonly count: number };
  /** The newest 100 events, newest first. */
  readonly newest: readonly StoredEvent[];
}

/** The seconds that a bar can cover. */
const STEPS = [1, 5, 15, 60, 300, 900, 3600, 10_800, 43_200, 86_400, 604_800];
const MAX_BARS = 60;
const MAX_NAMES = 20;
const MAX_NEWEST = 100;

/** Counts every usage event by name and over time. */
export function usageOf(events: Pick<Table<StoredEvent>, "list">): UsageSummary {
  const all = events.list();
  const counts = new Map<string, number>();
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const event of all) {
    const second = secondOf(event);
    if (second < first) first = second;
    if (second > last) last = second;
    counts.set(event.name, (counts.get(event.name) ?? 0) + 1);
  }
  const step = stepFor(first, last);
  const begin = Math.floor(first / step);
  const length = all.length === 0 ? 0 : Math.floor(last / step) - begin + 1;
  const empty = () => new Array<number>(length).fill(0);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const shown = new Map(sorted.slice(0, MAX_NAMES).map(([name, count]) => [name, { name, count, bars: empty() }]));
  const bars = empty();
  for (const event of all) {
    const index = Math.floor(secondOf(event) / step) - begin;
    bars[index] = (bars[index] as number) + 1;
    const series = shown.get(event.name)?.bars;
    if (series) series[index] = (series[index] as number) + 1;
  }
  const rest = sorted.slice(MAX_NAMES);
  return {
    total: all.length,
    from: all.length === 0 ? null : begin * step * 1000,
    step,
    bars,
    names: [...shown.values()],
    others: { names: rest.length, count: rest.reduce((sum, [, count]) => sum + count, 0) },
    newest: all.slice(-MAX_NEWEST).reverse(),
  };
}

function secondOf({ timestamp, ingested_at }: StoredEvent): number {
  const time = Date.parse(timestamp);
  return Math.floor((Number.isNaN(time) ? Date.parse(ingested_at) : time) / 1000);
}

/** Returns the shortest step for which 60 bars are enough. */
function stepFor(first: number, last: number): number {
  let step = 1;
  while (Math.floor(last / step) - Math.floor(first / step) >= MAX_BARS) {
    const shorter = step;
    step = STEPS.find((wider) => wider > shorter) ?? step * 4;
  }
  return step;
}
