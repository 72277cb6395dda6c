/**
 * What every benchmark uses: cases measured in turns, growth with the amount of work, and the output of both.
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

/** The values of one case, or of one size. */
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
  /** How cost grows with the size that the names of the rows state: 1 is linear, 0 does not grow. */
  readonly exponent?: number;
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

/** Options for `grow`. */
export interface Growing {
  /** The values are costs, so less is better. */
  readonly metrics: readonly Metric[];
  readonly sizes: readonly number[];
  readonly measure: (size: number) => ReturnType<Measure>;
  readonly rounds?: number;
}

/** Measures the cost of work of several sizes, and prints a table per metric with its exponent: the slope of log(cost) over log(size). */
export async function grow({ metrics, sizes, measure, rounds = ROUNDS }: Growing): Promise<void> {
  const chosen = QUICK ? sizes.slice(0, 2) : sizes;
  const measured: (readonly (readonly number[])[])[] = [];
  for (let round = rounds > 1 ? -1 : 0; round < rounds; round++) {
    const values: (readonly number[])[] = [];
    for (const size of chosen) values.push(await measure(size));
    if (round >= 0) measured.push(values);
  }
  for (const [index, metric] of metrics.entries()) {
    const rows = chosen.map((size, at) => ({
      name: String(size),
      value: spread(measured.map((round) => round[at]?.[index] ?? Number.NaN)),
    }));
    const exponent = slope(rows.map(({ name, value }) => [Math.log(Number(name)), Math.log(value.median)]));
    show({ ...metric, rounds, rows, exponent });
  }
}

/** Returns the slope of the line that fits points best. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const above = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return above / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
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

/** Returns how long a function takes, in milliseconds. */
export async function milliseconds(run: () => unknown): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
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
export function asMarkdown({ title, unit, more, rounds, rows, exponent }: Table): string {
  const range = rounds > 1;
  const hasRatio = rows.some(({ ratio }) => ratio !== undefined);
  const better = exponent === undefined ? `; ${more ? "more" : "less"} is better` : `: size^${exponent.toFixed(2)}`;
  const header = [
    "",
    unit,
    ...(range ? ["min to max"] : []),
    ...(hasRatio ? ["ratio"] : []),
    ...(hasRatio && range ? ["min to max"] : []),
  ];
  const cells = rows.map(({ name, value, ratio }) => [
    exponent === undefined ? name : Number(name).toLocaleString("en"),
    ...columns(value, range, format),
    ...(ratio === undefined ? [] : columns(ratio, range, (number) => number.toFixed(2))),
  ]);
  const lines = [header, header.map((_, index) => (index === 0 ? "---" : "---:")), ...cells];
  return `**${title}**${better}\n\n${lines.map((line) => `| ${line.join(" | ")} |\n`).join("")}`;
}

function columns({ median: middle, min, max }: Spread, range: boolean, write: (number: number) => string): string[] {
  return range ? [write(middle), `${write(min)} to ${write(max)}`] : [write(middle)];
}

/** Returns a number with three significant digits, or all digits before the point. */
function format(number: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(number) || 1)));
  return number.toLocaleString("en", {
    minimumFractionDigits: Math.min(digits, 3),
    maximumFractionDigits: Math.min(digits, 3),
  });
}
