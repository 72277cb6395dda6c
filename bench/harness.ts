/**
 * What every benchmark uses: cases measured in turns, and their output.
 *
 * `ROUNDS=9` measures more often; `QUICK=1` takes one short round, to see that a benchmark works. `ONLY=ky,stripe` leaves
 * out the other cases. If `BENCH_OUTPUT` names a file, the results are also written there, as JSON: `npm run bench` reads it.
 */
import { writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

/** One round, as short as possible: the numbers mean nothing. */
export const QUICK = Boolean(process.env["QUICK"]);

const ROUNDS = QUICK ? 1 : Number(process.env["ROUNDS"] ?? 5);
const ONLY = process.env["ONLY"]?.split(",");

/** What the values of a table mean. */
export interface Metric {
  readonly title: string;
  readonly unit: string;
  /** Whether more is better. */
  readonly more?: boolean;
}

/** A median with the smallest and largest value of all rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The values of one case. */
export interface Row {
  readonly name: string;
  readonly value: Spread;
  /** The ratios to the first case, each within one round. */
  readonly ratio?: Spread;
}

/** The results of a metric. */
export interface Table extends Metric {
  readonly rounds: number;
  readonly rows: readonly Row[];
}

/** Measures a case once, and returns a value per metric. */
export type Measure = () => Promise<readonly number[]> | readonly number[];

/** Options for `compare`. */
export interface Comparison {
  readonly metrics: readonly Metric[];
  /** By name. Ratios refer to the first case. */
  readonly cases: Readonly<Record<string, Measure>>;
  /** The number of rounds; 1 for what is the same each time. */
  readonly rounds?: number;
}

const tables: Table[] = [];

/** Returns a smaller number if `QUICK` is set. */
export function scaled(count: number, quick: number = Math.ceil(count / 100)): number {
  return QUICK ? quick : count;
}

/**
 * Measures the cases in turns, so that a change in machine speed affects all, and prints a table per metric. The order of
 * the cases changes between rounds; the first round only warms up and does not count.
 */
export async function compare({ metrics, cases, rounds = ROUNDS }: Comparison): Promise<void> {
  const names = Object.keys(cases).filter((name, index) => index === 0 || (ONLY?.includes(name) ?? true));
  const measured: Readonly<Record<string, readonly number[]>>[] = [];
  for (let round = rounds > 1 ? -1 : 0; round < rounds; round++) {
    const values: Record<string, readonly number[]> = {};
    for (const name of round % 2 === 0 ? names : names.toReversed()) values[name] = (await cases[name]?.()) ?? [];
    if (round >= 0) measured.push(values);
  }
  for (const [index, metric] of metrics.entries()) {
    const valuesOf = (name: string) => measured.map((round) => round[name]?.[index] ?? Number.NaN);
    const base = valuesOf(names[0] ?? "");
    const rows = names.map((name) => {
      const values = valuesOf(name);
      const ratio = spread(values.map((value, round) => value / (base[round] ?? Number.NaN)));
      return { name, value: spread(values), ...(names.length > 1 && { ratio }) };
    });
    show({ ...metric, rounds, rows });
  }
}

/** Returns how many times per second a function runs, one call after the other. Timers and other events run in between. */
export async function perSecond(count: number, call: () => unknown): Promise<number> {
  const started = performance.now();
  for (let index = 0; index < count; index++) {
    await call();
    if (index % 100 === 99) await setImmediate();
  }
  return (count * 1000) / (performance.now() - started);
}

/** Returns the median of values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

function show(table: Table): void {
  tables.push(table);
  console.log(`\n${asMarkdown(table)}`);
  const output = process.env["BENCH_OUTPUT"];
  if (output !== undefined) writeFileSync(output, JSON.stringify(tables));
}

/** Returns a table as Markdown: each value with its range over the rounds, and its ratio to the first case. */
export function asMarkdown({ title, unit, more, rounds, rows }: Table): string {
  const header = ["", unit, "min to max", "ratio", "min to max"];
  const cells = rows.map(({ name, value, ratio }) => {
    return [name, ...columns(value, format), ...(ratio ? columns(ratio, (number) => number.toFixed(2)) : [])];
  });
  const lines = [header, header.map((_, index) => (index === 0 ? "---" : "---:")), ...cells].map((line) => {
    return rounds > 1 ? line : line.filter((_, index) => index % 2 === 1 || index === 0);
  });
  return `**${title}**; ${more ? "more" : "less"} is better\n\n${lines.map((line) => `| ${line.join(" | ")} |\n`).join("")}`;
}

function columns({ median: middle, min, max }: Spread, write: (number: number) => string): string[] {
  return [write(middle), `${write(min)} to ${write(max)}`];
}

/** Returns a number with three significant digits, or all digits before the point. */
function format(number: number): string {
  return number.toLocaleString("en", {
    maximumFractionDigits: Math.abs(number) < 10 ? 2 : Math.abs(number) < 100 ? 1 : 0,
  });
}
