import type { StoredEvent } from "../state/records.ts";

/** How many usage events of one name there are, in all and over time. */
export interface UsageSeries {
  readonly name: string;
  readonly count: number;
  /** The counts of one step of time after another, beginning with `from`. */
  readonly bars: readonly number[];
}

/** The usage events at a glance. */
export interface Usage {
  readonly total: number;
  /** Where the first bar begins, in milliseconds since 1970; null when there are no events. */
  readonly from: number | null;
  /** How much time each bar stands for, in seconds. */
  readonly step: number;
  /** All events of one step of time after another, beginning with `from`. */
  readonly bars: readonly number[];
  /** The names with the most events, those first. */
  readonly names: readonly UsageSeries[];
  /** How many further names there are, and how many events they have. */
  readonly others: { readonly names: number; readonly count: number };
  /** The newest events, newest first. */
  readonly newest: readonly StoredEvent[];
}

/** Seconds that a bar may stand for; each divides the following one. */
const STEPS = [1, 5, 15, 60, 300, 900, 3600, 10_800, 43_200, 86_400, 604_800];
const MAX_BARS = 60;
const MAX_KEPT = 500;
const MAX_NAMES = 20;
const MAX_NEWEST = 100;

/** Counts usage events. */
export class Tally {
  #bars: Bars = new Map();
  #step = 1;
  #newest: StoredEvent[] = [];

  /** Counts an event that was stored after all those before. */
  add(event: StoredEvent): void {
    const { name, timestamp, ingested_at } = event;
    const time = Date.parse(timestamp);
    const seconds = (Number.isNaN(time) ? Date.parse(ingested_at) : time) / 1000;
    count(this.#bars, Math.floor(seconds / this.#step), name, 1);
    while (this.#bars.size > MAX_KEPT) {
      const wider = widerThan(this.#step);
      this.#bars = widened(this.#bars, wider / this.#step);
      this.#step = wider;
    }
    this.#newest.push(event);
    if (this.#newest.length > 2 * MAX_NEWEST) this.#newest = this.#newest.slice(-MAX_NEWEST);
  }

  /** The counts so far. */
  usage(): Usage {
    return { ...summary(this.#bars, this.#step), newest: this.#newest.slice(-MAX_NEWEST).reverse() };
  }
}

/** How many events of each name fall into a step of time, by the number of the step. */
type Bars = Map<number, Map<string, number>>;

function count(bars: Bars, index: number, name: string, more: number): void {
  const bar = bars.get(index) ?? new Map<string, number>();
  bar.set(name, (bar.get(name) ?? 0) + more);
  bars.set(index, bar);
}

function widerThan(step: number): number {
  return STEPS.find((wider) => wider > step) ?? step * 4;
}

function widened(bars: Bars, factor: number): Bars {
  const wide: Bars = new Map();
  for (const [index, bar] of bars) {
    for (const [name, some] of bar) count(wide, Math.floor(index / factor), name, some);
  }
  return wide;
}

function summary(kept: Bars, keptStep: number): Omit<Usage, "newest"> {
  let [bars, step] = [kept, keptStep];
  while (spanOf(bars).length > MAX_BARS) {
    const wider = widerThan(step);
    bars = widened(bars, wider / step);
    step = wider;
  }
  const { first, length } = spanOf(bars);
  const names = namesOf(bars);
  const over = (read: (bar: ReadonlyMap<string, number>) => number) =>
    Array.from({ length }, (_, offset) => read(bars.get(first + offset) ?? new Map()));
  const shown = names
    .slice(0, MAX_NAMES)
    .map(([name, some]) => ({ name, count: some, bars: over((bar) => bar.get(name) ?? 0) }));
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
    for (const [name, some] of bar) names.set(name, (names.get(name) ?? 0) + some);
  }
  return [...names].sort(([, a], [, b]) => b - a);
}

function total(names: readonly (readonly [string, number])[]): number {
  return names.reduce((sum, [, some]) => sum + some, 0);
}
