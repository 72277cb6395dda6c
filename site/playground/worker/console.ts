import { formatWithOptions } from "node-inspect-extracted";
import { MAX_LINES, type OutputLine } from "./protocol.ts";

/** The maximum length of a line, in characters. */
const MAX_LENGTH = 10_000;

const OPTIONS = { depth: 5, maxArrayLength: 100, maxStringLength: MAX_LENGTH, breakLength: 76 };

/** Formats values as Node.js prints them. */
export function format(...values: readonly unknown[]): string {
  // Stack frames outside of the program are in the scripts of the playground.
  const text = formatWithOptions(OPTIONS, ...values.map(withStack)).replaceAll(
    /\n +at .*(?:blob:|playground\.js)\S+/g,
    "",
  );
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** Gives an error of Firefox or Safari a stack in the form of V8, which the formatter expects. */
function withStack(value: unknown): unknown {
  if (!(value instanceof Error) || !value.stack || /^\s+at /m.test(value.stack)) return value;
  const frames = value.stack.split("\n").filter((line) => line.includes("program.ts"));
  value.stack = [`${value.name}: ${value.message}`, ...frames.map((line) => `    at ${line}`)].join("\n");
  return value;
}

/** Creates the `console` of a program, which prints a limited number of lines. */
export function createConsole(print: (line: OutputLine) => void): Partial<Console> {
  let lines = 0;
  const printer =
    (level: OutputLine["level"]) =>
    (...values: readonly unknown[]) => {
      lines += 1;
      if (lines <= MAX_LINES) print({ level, text: format(...values) });
      if (lines === MAX_LINES) print({ level: "warn", text: `Only the first ${MAX_LINES} lines are shown.` });
    };
  const [log, warn, error] = [printer("log"), printer("warn"), printer("error")];
  const dir = (value: unknown) => log(value);
  const assert = (holds: unknown, ...values: readonly unknown[]) => {
    if (!holds) error("Assertion failed:", ...values);
  };
  return {
    log,
    info: log,
    debug: log,
    group: log,
    groupEnd: () => {},
    dir,
    table: dir,
    trace: error,
    warn,
    error,
    assert,
  };
}
