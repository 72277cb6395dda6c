import type { Readable } from "node:stream";
import type { ConformanceReport } from "../../conformance/index.ts";
import { UsageError } from "../shared/arguments.ts";
import { readText } from "../shared/files.ts";

/** A difference between two reports. */
export interface Change {
  readonly id: string;
  readonly before: string;
  readonly after: string;
}

/** The part of a report that is compared. */
type Compared = Pick<ConformanceReport, "rules" | "assumptions" | "operations">;

interface Row {
  readonly id: string;
  readonly name?: string;
  readonly version?: string;
  readonly outcome: string;
  readonly value?: unknown;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  holds: "holds",
  partly: "holds partly",
  differs: "differs",
  fails: "does not hold",
  "not-observable": "not observable",
};

/**
 * Reads a report that `--json` printed.
 *
 * @throws UsageError when the file cannot be read or contains something else.
 */
export async function readReport(path: string, stdin: Readable): Promise<Compared> {
  const text = await readText(`--against ${path}`, path, stdin);
  let report: Partial<Compared> | null;
  try {
    report = JSON.parse(text);
  } catch {
    report = null;
  }
  const lists = [report?.rules, report?.assumptions, report?.operations];
  const isRow = (row: unknown) => typeof Object(row).id === "string" && typeof Object(row).outcome === "string";
  if (lists.every((list) => Array.isArray(list) && list.every(isRow))) return report as Compared;
  throw new UsageError(`--against ${path}: expected a report that billing conformance --json printed.`);
}

/** Returns what changed since an earlier report. What the later one lacks was not checked again, and is left out. */
export function changesSince(earlier: Compared, { rules, assumptions, operations }: Compared): Change[] {
  return [
    ...compare(earlier.rules, rules, ({ id }) => id),
    ...compare(earlier.assumptions, assumptions, ({ id, name }) => `${id} ${name}`),
    ...compare(earlier.operations, operations, ({ id, version }) => `${id} ${version}`),
  ];
}

function compare(before: readonly Row[], after: readonly Row[], nameOf: (row: Row) => string): Change[] {
  const earlier = new Map(before.map((row) => [nameOf(row), stateOf(row)]));
  return after.flatMap((row) => {
    const [id, state] = [nameOf(row), stateOf(row)];
    const known = earlier.get(id) ?? "not checked";
    return known === state ? [] : { id, before: known, after: state };
  });
}

function stateOf({ outcome, value }: Row): string {
  return OUTCOMES[outcome] ?? JSON.stringify(value);
}
