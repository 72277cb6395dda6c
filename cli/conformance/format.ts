import type { AssumptionRow, ConformanceReport, Evidence } from "../../conformance/index.ts";
import { escapeControls, type Part } from "../shared/terminal.ts";
import type { Change } from "./drift.ts";

/** A finding that a person should look at: a rule or an operation that does not do what the specification says. */
interface Failure extends Evidence {
  readonly id: string;
  readonly title: string;
  readonly version: string | undefined;
}

const EMPTY = { request: "", expected: "", received: "" };

/** Returns the rules and the operations that do not hold. */
export function failuresOf({ rules, operations }: Pick<ConformanceReport, "rules" | "operations">): Failure[] {
  const failed = [...rules, ...operations.map((row) => ({ title: "called through the client", ...row }))];
  return failed.flatMap((row) => (row.outcome === "fails" ? { ...EMPTY, version: undefined, ...row } : []));
}

/** Whether a report contains anything that was observed. */
export function isEmpty({ rules, assumptions, operations }: ConformanceReport): boolean {
  return [...rules, ...assumptions, ...operations].every(({ outcome }) => outcome === "not-observable");
}

/** Returns a report as the lines of a terminal. */
export function asText(report: ConformanceReport, changes: readonly Change[] | undefined): Part[] {
  const differing = differingOf(report);
  const [rules, assumptions, operations] = countsOf(report);
  const width = Math.max(0, ...differing.map(({ name }) => name.length));
  const valueWidth = Math.max(0, ...differing.map(({ value }) => JSON.stringify(value).length));
  const idWidth = Math.max(0, ...differing.map(({ id }) => id.length));
  return [
    ["dim", `${headline(report)}\n\n`],
    ...section("Rules", rules),
    ...failuresOf({ ...report, operations: [] }).flatMap(failureLines),
    ...section("Assumptions", assumptions),
    ...differing.flatMap(({ id, name, value, evidence = "" }): Part[] => [
      `  ${id.padEnd(idWidth)}  ${name.padEnd(width)}  `,
      ["yellow", JSON.stringify(value).padEnd(valueWidth)],
      ["dim", `  ${one(evidence)}`],
      "\n",
    ]),
    ...(report.operations.length === 0 ? [] : section("Operations", operations)),
    ...failuresOf({ ...report, rules: [] }).flatMap(failureLines),
    ...reasonsOf(report).flatMap(([reason, ids], index): Part[] => [
      index === 0 ? ["bold", "Not observable\n"] : "",
      `  ${one(reason)}: `,
      ["dim", `${ids.join(", ")}\n`],
    ]),
    ...(changes === undefined ? [] : changeLines(changes)),
  ];
}

function section(name: string, counts: string): Part[] {
  return [["bold", name.padEnd(13)], `${counts}\n`];
}

function failureLines({ id, title, version, request, expected, received }: Failure): Part[] {
  return [
    "  ",
    ["red", `✗ ${id}`],
    `  ${one(title)}\n`,
    `      ${version === undefined ? "" : `${version}: `}${one(request)}\n`,
    `      expected ${one(expected)}; received ${one(received)}\n`,
  ];
}

function changeLines(changes: readonly Change[]): Part[] {
  const lines = changes.map(({ id, before, after }) => `  ${id}: ${one(before)} → ${one(after)}\n`);
  return [["bold", "Changed".padEnd(13)], `${changes.length === 0 ? "nothing" : changes.length}\n`, ...lines];
}

function one(text: string): string {
  return escapeControls(text.replaceAll("\n", " "));
}

function headline({ baseUrl, versions, requests, startedAt, finishedAt, aborted }: ConformanceReport): string {
  const seconds = Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000);
  const facts = [baseUrl, `versions ${versions.join(", ")}`, startedAt, `${requests} requests`, `${seconds} s`];
  return one([...facts, ...(aborted ? ["interrupted"] : [])].join(" · "));
}

function countsOf({ rules, assumptions, operations }: ConformanceReport): [string, string, string] {
  const count = (rows: readonly { readonly outcome: string }[], wanted: string) =>
    rows.filter(({ outcome }) => outcome === wanted).length;
  const others = (rows: Parameters<typeof count>[0]) => `${count(rows, "not-observable")} not observable`;
  const held = (rows: Parameters<typeof count>[0]) =>
    `${count(rows, "holds")} hold · ${count(rows, "fails")} do not · ${others(rows)}`;
  const differing = assumptions.filter(({ differs }) => differs).length;
  const observed = `${count(assumptions, "observed")} observed · ${differing} differ from the mock's defaults`;
  return [held(rules), `${observed} · ${others(assumptions)}`, held(operations)];
}

function differingOf({ assumptions }: ConformanceReport): AssumptionRow[] {
  return assumptions.filter(({ differs }) => differs);
}

/** The command-line options, by the names that errors and reasons contain. */
export const FLAGS: Readonly<Record<string, string>> = {
  baseUrl: "--base-url",
  tokens: "--tokens",
  only: "--only",
  receiver: "--receiver",
  customerId: "--customer",
  endpointId: "--endpoint",
  origins: "--origin",
  metadataKeys: "--metadata-key",
  retryMinutes: "--retry-minutes",
  allowWrites: "a run without --read-only",
};

/** Replaces the option names in a reason with command-line options. */
function asTyped(reason: string): string {
  return reason.replace(/`(\w+)`/g, (quoted, name: string) => FLAGS[name] ?? quoted);
}

/** Returns the reasons why rules, settings and operations are not observable, each with their ids. */
function reasonsOf({ rules, assumptions, operations }: ConformanceReport): [reason: string, ids: string[]][] {
  const reasons = new Map<string, string[]>();
  const settings = assumptions.map((row) => ({ ...row, id: `${row.id} ${row.name}` }));
  for (const { id, outcome, reason: given = "unknown" } of [...rules, ...settings, ...operations]) {
    const reason = asTyped(given);
    const ids = reasons.get(reason) ?? [];
    if (outcome === "not-observable") reasons.set(reason, ids.includes(id) ? ids : [...ids, id]);
  }
  return [...reasons];
}
