import { formatWithOptions, inspect } from "node-inspect-extracted";
import { MAX_LINES, type OutputLine } from "./protocol.ts";

/** The maximum length of a line, in characters. */
const MAX_LENGTH = 10_000;

const OPTIONS = { depth: 5, maxArrayLength: 100, maxStringLength: MAX_LENGTH, breakLength: 76 };

/** The maximum number of rows and of columns of a table. */
const MAX_CELLS = 100;

/** The fields that Node.js prints for these objects, although they are on the prototype. */
const SHOWN: readonly (readonly [{ readonly name: string; readonly prototype: object }, (value: never) => object])[] = [
  [Headers, (headers: Headers) => Object.fromEntries(headers)],
  [Request, ({ method, url, headers }: Request) => ({ method, url, headers })],
  [Response, ({ status, ok, headers }: Response) => ({ status, ok, headers })],
];
for (const [{ name, prototype }, show] of SHOWN) {
  function value(this: never, _depth: number, options: object) {
    return `${name} ${inspect(show(this), options)}`;
  }
  Object.defineProperty(prototype, inspect.custom, { value });
}

/** Formats values as Node.js prints them. */
export function format(...values: readonly unknown[]): string {
  return attempt(() => formatWithOptions(OPTIONS, ...values.map(withStack)));
}

/** Returns printed text, limited to `MAX_LENGTH` characters, without the playground's own stack frames. */
function attempt(print: () => string): string {
  try {
    const text = print();
    const rest = text.length - MAX_LENGTH;
    const shown = text.slice(0, MAX_LENGTH).replaceAll(/\n +at .*(?:blob:|playground\.js)\S+/g, "");
    return rest > 0 ? `${shown}… ${rest} more characters are not shown.` : shown;
  } catch {
    return "This value cannot be printed: reading it throws.";
  }
}

/** Formats a list, or an object, as a table with a row for each entry. */
function formatTable(data: unknown): string {
  const rows = Object.entries(Object(data)).slice(0, MAX_CELLS);
  if (typeof data !== "object" || rows.length === 0) return format(data);
  const isObject = (row: unknown): row is object => typeof row === "object" && row !== null;
  const names = new Set(rows.flatMap(([, row]) => (isObject(row) ? Object.keys(row) : ["Values"])));
  const columns = [...names].slice(0, MAX_CELLS);
  const cells = rows.map(([index, row]) => {
    const fields: Readonly<Record<string, unknown>> = isObject(row) ? { ...row } : { Values: row };
    return [index, ...columns.map((name) => (Object.hasOwn(fields, name) ? inspect(fields[name], { depth: 0 }) : ""))];
  });
  const lines = [["(index)", ...columns], ...cells];
  const widths = ["", ...columns].map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).join("\n");
}

/** Converts an error's Firefox or Safari stack to V8's format, which the formatter expects. */
function withStack(value: unknown): unknown {
  if (!(value instanceof Error) || !value.stack || /^\s+at /m.test(value.stack)) return value;
  const frames = value.stack.split("\n").filter((line) => line.includes("program.ts"));
  value.stack = [`${value.name}: ${value.message}`, ...frames.map((line) => `    at ${line}`)].join("\n");
  return value;
}

/** Creates the `console` of a program, which prints a limited number of lines. */
export function createConsole(print: (line: OutputLine) => void): Partial<Console> {
  let lines = 0;
  let depth = 0;
  const counts = new Map<string, number>();
  const starts = new Map<string, number>();
  const printer =
    (level: OutputLine["level"]) =>
    (...values: readonly unknown[]) => {
      lines += 1;
      const indent = "  ".repeat(Math.min(depth, 20));
      if (lines <= MAX_LINES) print({ level, text: format(...values).replaceAll(/^/gm, indent) });
      if (lines === MAX_LINES) print({ level: "warn", text: `Only the first ${MAX_LINES} lines are shown.` });
    };
  const [log, warn, error] = [printer("log"), printer("warn"), printer("error")];
  const group = (...values: readonly unknown[]) => {
    if (values.length > 0) log(...values);
    depth += 1;
  };
  const timeLog = (label = "default", ...values: readonly unknown[]) => {
    const started = starts.get(label);
    if (started === undefined) warn(`No timer has the label "${label}".`);
    else log(`${label}: ${(performance.now() - started).toFixed(1)}ms`, ...values);
  };
  return {
    log,
    info: log,
    debug: log,
    warn,
    error,
    group,
    groupCollapsed: group,
    groupEnd: () => {
      depth = Math.max(0, depth - 1);
    },
    dir: (value: unknown) => log(value),
    dirxml: log,
    table: (data: unknown) => log(attempt(() => formatTable(data))),
    trace: (...values: readonly unknown[]) => error(`Trace: ${format(...values)}`),
    assert: (holds?: unknown, ...values: readonly unknown[]) => {
      if (!holds) error("Assertion failed:", ...values);
    },
    count: (label = "default") => {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      log(`${label}: ${counts.get(label)}`);
    },
    countReset: (label = "default") => void counts.delete(label),
    time: (label = "default") => void starts.set(label, performance.now()),
    timeLog,
    timeEnd: (label = "default") => {
      timeLog(label);
      starts.delete(label);
    },
    clear: () => print({ level: "clear", text: "" }),
  };
}
