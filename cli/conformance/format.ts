import type { AssumptionRow, ConformanceReport, Evidence } from "../../conformance/index.ts";
import { escapeControls, type Part } from "../shared/output.ts";
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

/** Returns a report as Markdown. */
export function asMarkdown(report: ConformanceReport, changes: readonly Change[] = []): string {
  const counts = ["Rules", "Assumptions", "Operations"].map((name, index) => [name, countsOf(report)[index] as string]);
  const held = report.rules.flatMap(({ id, title, outcome }) => (outcome === "holds" ? [[id, title]] : []));
  const changed = changes.map(({ id, before, after }) => [id, code(before), code(after)]);
  const blocks = [
    "# Conformance report",
    headline(report).replace(report.baseUrl, code(report.baseUrl)),
    table(["kind", "outcome"], counts),
    ...part("Does not hold", ["id", "rule", "version", "request", "expected", "received"], failureRows(report)),
    ...part("Assumptions", ["id", "setting", "value", "default of the mock", "evidence"], assumptionRows(report)),
    ...part("Holds", ["id", "rule"], held),
    ...part(
      "Not observable",
      ["reason", "ids"],
      reasonsOf(report).map(([reason, ids]) => [reason, ids.join(", ")]),
    ),
    ...part("Changed", ["id", "before", "after"], changed),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function failureRows(report: ConformanceReport): string[][] {
  return failuresOf(report).map(({ id, title, version = "", request, expected, received }) => {
    return [id, title, version, code(request), code(expected), code(received)];
  });
}

/** Returns the rows of the observed assumptions. Those that differ come first. */
function assumptionRows(report: ConformanceReport): string[][] {
  const same = report.assumptions.filter(({ outcome, differs }) => outcome === "observed" && !differs);
  return [...differingOf(report), ...same].map(({ id, name, value, default: byDefault, differs, evidence = "" }) => {
    const shown = code(JSON.stringify(value));
    return [
      id,
      code(name),
      differs ? `**${shown}**` : shown,
      differs ? code(JSON.stringify(byDefault)) : "the same",
      code(evidence),
    ];
  });
}

function part(title: string, header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : [`## ${title}`, table(header, rows)];
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => "---"), ...rows.map((row) => row.map(cell))];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}

/** Text of a service must not add columns, lines, HTML or links. */
function cell(text: string): string {
  return one(text).replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

function code(text: string): string {
  return text === "" ? "" : `\`${text.replaceAll("`", "'")}\``;
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
