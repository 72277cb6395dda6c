import type { AssumptionRow, ConformanceReport, RuleRow } from "../../conformance/report.ts";
import { escapeControls } from "../shared/terminal.ts";

/** Returns the rules that do not hold. */
export const failuresOf = ({ rules }: ConformanceReport): readonly RuleRow[] =>
  rules.filter(({ outcome }) => outcome === "fails");

/** Whether a report contains anything that was observed. */
export const isEmpty = ({ rules, assumptions }: ConformanceReport): boolean =>
  [...rules, ...assumptions].every(({ outcome }) => outcome === "not-observable");

/** Returns a report as the lines of a terminal. */
export function asText(report: ConformanceReport): string {
  return [
    `${headline(report)}\n\n`,
    ...report.notes.map((note) => `${one(note)}\n`),
    section("Rules", countsOf(rulesOf(report))),
    ...failuresOf(report).map(failureLines),
    section("Assumptions", assumptionCounts(report)),
    ...assumptionLines(report),
    ...reasonLines("Partly", report, "partly"),
    ...reasonLines("Not observable", report, "not-observable"),
  ].join("");
}

/** The rules of the specification, without the assumptions that no setting changes. */
const rulesOf = ({ rules }: ConformanceReport) => rules.filter(({ id }) => !id.startsWith("G-"));

const fixedOf = ({ rules }: ConformanceReport) => rules.filter(({ id }) => id.startsWith("G-"));

function section(name: string, counts: string): string {
  return `${name.padEnd(13)}${counts}\n`;
}

function failureLines({ id, title, version, request = "", expected = "", received = "" }: RuleRow): string {
  const details = `expected ${one(expected)}; received ${one(received)}`;
  return `  ✗ ${id}  ${one(title)}\n      ${version}: ${one(request)}\n      ${details}\n`;
}

/** The values that differ from the mock's defaults, and what only middleware can imitate. */
function assumptionLines(report: ConformanceReport): readonly string[] {
  const settings = report.assumptions
    .filter(({ differs }) => differs)
    .map(({ id, name, value, evidence = "" }: AssumptionRow) => [id, name, JSON.stringify(value), evidence] as const);
  const fixed = fixedOf(report)
    .filter(({ outcome }) => outcome === "differs")
    .map(({ id, request, expected, received }: RuleRow) => {
      return [id, "middleware", `expected ${expected}`, `${request}: ${received}`] as const;
    });
  return [...settings, ...fixed].map(([id, name, value, evidence]) => {
    return `  ${id} ${name}: ${one(value)}  ${one(evidence)}\n`;
  });
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

/** Returns the reasons for an outcome, each with the rules, settings and operations that have it. */
function reasonLines(title: string, { rules, assumptions }: ConformanceReport, wanted: string): readonly string[] {
  const reasons = new Map<string, Set<string>>();
  const settings = assumptions.map((row) => ({ ...row, id: `${row.id} ${row.name}` }));
  for (const { id, outcome, reason = "unknown" } of [...rules, ...settings])
    if (outcome === wanted) reasons.set(reason, (reasons.get(reason) ?? new Set()).add(id));
  const lines = [...reasons].map(([reason, ids]) => `  ${one(reason)}: ${[...ids].join(", ")}\n`);
  return lines.length === 0 ? [] : [`${title}\n`, ...lines];
}
