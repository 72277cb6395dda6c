import type { StoredEvent } from "../state/records.ts";
import type { UsageSummary } from "./routes/usage.ts";

/** The seconds that a bar can cover; each divides the next. */
const STEPS = [1, 5, 15, 60, 300, 900, 3600, 10_800, 43_200, 86_400, 604_800];
const MAX_BARS = 60;
const MAX_KEPT = 500;
const MAX_NAMES = 20;
const MAX_NEWEST = 100;

/** Counts usage events by name and over time. */
export class UsageCounter {
  #bars: Bars = new Map();
  #step = 1;
  #newest: StoredEvent[] = [];

  /** Counts an event. Call it in the order in which the events were stored. */
  add(event: StoredEvent): void {
    const { name, timestamp, ingested_at } = event;
    const time = Date.parse(timestamp);
    const seconds = (Number.isNaN(time) ? Date.parse(ingested_at) : time) / 1000;
    increase(this.#bars, Math.floor(seconds / this.#step), name, 1);
    while (this.#bars.size > MAX_KEPT) {
      const wider = nextStep(this.#step);
      this.#bars = merge(this.#bars, wider / this.#step);
      this.#step = wider;
    }
    this.#newest.push(event);
    if (this.#newest.length > 2 * MAX_NEWEST) this.#newest = this.#newest.slice(-MAX_NEWEST);
  }

  /** Returns the counts so far. */
  summary(): UsageSummary {
    return { ...summarize(this.#bars, this.#step), newest: this.#newest.slice(-MAX_NEWEST).reverse() };
  }
}

/** The number of events of each name, by the number of the step of time. */
type Bars = Map<number, Map<string, number>>;

function increase(bars: Bars, index: number, name: string, by: number): void {
  const bar = bars.get(index) ?? new Map<string, number>();
  bar.set(name, (bar.get(name) ?? 0) + by);
  bars.set(index, bar);
}

function nextStep(step: number): number {
  return STEPS.find((wider) => wider > step) ?? step * 4;
}

function merge(bars: Bars, factor: number): Bars {
  const wide: Bars = new Map();
  for (const [index, bar] of bars) {
    for (const [name, count] of bar) increase(wide, Math.floor(index / factor), name, count);
  }
  return wide;
}

function summarize(kept: Bars, keptStep: number): Omit<UsageSummary, "newest"> {
  let [bars, step] = [kept, keptStep];
  while (spanOf(bars).length > MAX_BARS) {
    const wider = nextStep(step);
    bars = merge(bars, wider / step);
    step = wider;
  }
  const { first, length } = spanOf(bars);
  const names = namesOf(bars);
  const over = (read: (bar: ReadonlyMap<string, number>) => number) =>
    Array.from({ length }, (_, offset) => read(bars.get(first + offset) ?? new Map()));
  const shown = names
    .slice(0, MAX_NAMES)
    .map(([name, count]) => ({ name, count, bars: over((bar) => bar.get(name) ?? 0) }));
  const rest = names.slice(MAX_NAMES);
  return {
    total: total(names),
    from: length > 0 ? first * step * 1000 : null,
    step,
    bars: over((bar) => total([...bar])),
    names: shown,
    others: { names: rest.length, count: total(rest) },
  };
}

function spanOf(bars: Bars): { readonly first: number; readonly length: number } {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const index of bars.keys()) [first, last] = [Math.min(first, index), Math.max(last, index)];
  return bars.size === 0 ? { first: 0, length: 0 } : { first, length: last - first + 1 };
}

function namesOf(bars: Bars): [name: string, count: number][] {
  const names = new Map<string, number>();
  for (const bar of bars.values()) {
    for (const [name, count] of bar) names.set(name, (names.get(name) ?? 0) + count);
  }
  return [...names].sort(([, a], [, b]) => b - a);
}

function total(names: readonly (readonly [string, number])[]): number {
  return names.reduce((sum, [, count]) => sum + count, 0);
}
