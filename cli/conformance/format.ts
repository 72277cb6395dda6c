import type { AssumptionRow, ConformanceReport, Evidence, RuleRow } from "../../conformance/index.ts";
import { escapeControls, type Part } from "../shared/terminal.ts";

/** A rule or an operation that does not do what the specification says. */
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
export function asText(report: ConformanceReport): Part[] {
  const { operations } = report;
  return [
    ["dim", `${headline(report)}\n\n`],
    ...report.notes.map((note) => `${one(note)}\n`),
    ...section("Rules", countsOf(rulesOf(report))),
    ...failuresOf({ ...report, operations: [] }).flatMap(failureLines),
    ...section("Assumptions", assumptionCounts(report)),
    ...assumptionLines(report),
    ...(operations.length === 0 ? [] : section("Operations", countsOf(operations))),
    ...failuresOf({ ...report, rules: [] }).flatMap(failureLines),
    ...reasonLines("Partly", report, "partly"),
    ...reasonLines("Not observable", report, "not-observable"),
  ];
}

/** The rules of the specification, without the assumptions that no setting changes. */
const rulesOf = ({ rules }: ConformanceReport) => rules.filter(({ id }) => !id.startsWith("G-"));

const fixedOf = ({ rules }: ConformanceReport) => rules.filter(({ id }) => id.startsWith("G-"));

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

/** The values that differ from the mock's defaults, and what no setting can imitate. */
function assumptionLines(report: ConformanceReport): Part[] {
  const settings = report.assumptions
    .filter(({ differs }) => differs)
    .map(({ id, name, value, evidence = "" }: AssumptionRow) => [id, name, JSON.stringify(value), evidence] as const);
  const fixed = fixedOf(report)
    .filter(({ outcome }) => outcome === "differs")
    .map(({ id, request, expected, received }: RuleRow) => {
      return [id, "no setting", `expected ${expected}`, `${request}: ${received}`] as const;
    });
  const rows = [...settings, ...fixed];
  const width = (column: 0 | 1 | 2) => Math.max(0, ...rows.map((row) => row[column].length));
  return rows.flatMap(([id, name, value, evidence]): Part[] => [
    `  ${id.padEnd(width(0))}  ${name.padEnd(width(1))}  `,
    ["yellow", one(value).padEnd(width(2))],
    ["dim", `  ${one(evidence)}`],
    "\n",
  ]);
}

function one(text: string): string {
  return escapeControls(text.replaceAll("\n", " "));
}

function headline({ baseUrl, versions, requests, startedAt, finishedAt, aborted }: ConformanceReport): string {
  const seconds = Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000);
  const facts = [baseUrl, `versions ${versions.join(", ")}`, startedAt, `${requests} requests`, `${seconds} s`];
  return one([...facts, ...(aborted ? ["interrupted"] : [])].join(" · "));
}

type Outcomes = readonly { readonly outcome: string }[];

const count = (rows: Outcomes, wanted: string) => rows.filter(({ outcome }) => outcome === wanted).length;

function countsOf(rows: Outcomes): string {
  const partly = count(rows, "partly");
  const held = `${count(rows, "holds")} hold · ${partly > 0 ? `${partly} partly · ` : ""}${count(rows, "fails")} do not`;
  return `${held} · ${count(rows, "not-observable")} not observable`;
}

function assumptionCounts(report: ConformanceReport): string {
  const [settings, fixed] = [report.assumptions, fixedOf(report)];
  const differing = settings.filter(({ differs }) => differs).length + count(fixed, "differs");
  const unobserved = count([...settings, ...fixed], "not-observable");
  const observed = settings.length + fixed.length - unobserved;
  return `${observed} observed · ${differing} differ from the mock's defaults · ${unobserved} not observable`;
}

/** The command-line options, by the names of a run's options. */
export const FLAGS: Readonly<Record<string, string>> = {
  baseUrl: "--base-url",
  tokens: "--tokens",
  only: "--only",
  receiver: "--receiver",
  trigger: "--trigger",
  eventTypes: "--event-type",
  organizationId: "--organization",
  authorizeQuery: "--authorize-query",
  customerId: "--customer",
  endpointId: "--endpoint",
  origins: "--origin",
  retryMinutes: "--retry-minutes",
  allowWrites: "run without --read-only",
};

/** Returns the reasons for an outcome, each with the rules, settings and operations that have it. */
function reasonLines(title: string, { rules, assumptions, operations }: ConformanceReport, wanted: string): Part[] {
  const reasons = new Map<string, Set<string>>();
  const settings = assumptions.map((row) => ({ ...row, id: `${row.id} ${row.name}` }));
  for (const { id, outcome, reason: given = "unknown", option = "" } of [...rules, ...settings, ...operations]) {
    const reason = option === "" ? given : `${given} (${FLAGS[option] ?? option})`;
    if (outcome === wanted) reasons.set(reason, (reasons.get(reason) ?? new Set()).add(id));
  }
  const lines = [...reasons].flatMap(([reason, ids]): Part[] => [
    `  ${one(reason)}: `,
    ["dim", `${[...ids].join(", ")}\n`],
  ]);
  return lines.length === 0 ? [] : [["bold", `${title}\n`], ...lines];
}
