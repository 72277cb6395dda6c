import { Checks } from "../src/errors/checks.ts";
import { describeValue } from "../src/values/describe.ts";
import type { Check } from "./check.ts";
import { checks } from "./checks/index.ts";
import { mostMebibytes } from "./checks/limits.ts";
import { type ConformanceOptions, readOptions, type Settings } from "./options.ts";
import { Deviation, NotObservable, type Observed } from "./outcome.ts";
import { type AssumptionRow, type ConformancePlan, type ConformanceReport, choicesOf, type RuleRow } from "./report.ts";
import { Service } from "./service.ts";
import { Session } from "./session.ts";
import { versions } from "./versions.ts";

/**
 * Sends requests to a service, and reports which rules of the specification hold and what the service does where the
 * specification leaves something open. It creates webhook endpoints and usage events only if `allowWrites` is true, and
 * disables the endpoints at the end, even if the run is aborted. It resolves with a report whatever the service does.
 *
 * @example
 * ```ts
 * const report = await runConformance({
 *   baseUrl: "http://127.0.0.1:4010",
 *   tokens: [{ token, kind: "oat" }],
 * });
 * const mock = createMock({ assumptions: report.choices });
 * ```
 * @throws InvalidInputError when an option is unknown or invalid; no request is sent.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const run = open(options, "runConformance");
  const { settings, session, steps } = run;
  const startedAt = new Date().toISOString();
  session.maxRequests = settings.maxRequests ?? planOf(run).requests;
  const outcomes: Outcome[] = [];
  let leftEnabled: readonly string[] = [];
  try {
    for (const [done, step] of steps.entries()) {
      const { version } = step.service;
      options.onProgress?.({ id: step.check.id, version, done, total: steps.length, requests: session.requests });
      outcomes.push({ ...step, result: await resultOf(step) });
    }
  } finally {
    leftEnabled = (await disableAll(session)).map((name) => session.hide(name));
  }
  const aborted = settings.signal?.aborted ?? false;
  const of = (kind: Check["kind"]) => outcomes.filter(({ check }) => check.kind === kind);
  const assumptions = of("assumption").map(({ check: { id, title: name }, result }) => {
    return { id, name, ...(result as AssumptionResult) };
  });
  const operations = of("operation").map(({ check: { id }, service: { version }, result }) => {
    return { id, version, ...(result as RuleResult) };
  });
  return {
    baseUrl: settings.baseUrl,
    versions: settings.versions,
    startedAt,
    finishedAt: new Date().toISOString(),
    requests: session.requests,
    aborted,
    complete: !aborted && !session.ended,
    rules: ruleRows(of("rule")),
    assumptions,
    operations,
    leftEnabled,
    choices: choicesOf(assumptions),
  };
}

/**
 * Returns the requests and writes of `runConformance` with the same options, without sending a request.
 *
 * @throws InvalidInputError when an option is unknown or invalid.
 */
export function planConformance(options: ConformanceOptions): ConformancePlan {
  return planOf(open(options, "planConformance"));
}

/** The requests that find an event and an endpoint that the service accepts, and that disable what was created. */
const FIXTURE_REQUESTS = 60;

function planOf({ settings, steps }: Run): ConformancePlan {
  const checked = steps.filter(({ unmet }) => unmet === undefined).map(({ check }) => check);
  const writes = (kind: Check["writes"]) => checked.some((check) => writesOf(check, settings) === kind);
  const { versions: chosen, origins, metadataKeys } = settings;
  const others = FIXTURE_REQUESTS * chosen.length + origins.length + metadataKeys.length;
  const bodies = `request bodies of up to ${mostMebibytes(settings)} MiB in total, to find the largest (G-BODY-MAX)`;
  return {
    requests: checked.reduce((sum, { requests = 4 }) => sum + requests, others),
    writes: [
      ...(writes("endpoints") ? ["webhook endpoints, which are disabled at the end"] : []),
      ...(writes("events") ? ["usage events of customers that exist only for the run, or of the given customer"] : []),
      ...(checked.some(({ id }) => id === "G-BODY-MAX") ? [bodies] : []),
    ],
  };
}

/** A check for one version. */
interface Step {
  readonly check: Check;
  readonly service: Service;
  /** The reason why the check cannot run. */
  readonly unmet: string | undefined;
}

interface Run {
  readonly settings: Settings;
  readonly session: Session;
  readonly steps: readonly Step[];
}

/** What a check showed, as the row of a report contains it. */
type Result = RuleResult | AssumptionResult;

type RuleResult = Omit<RuleRow, "id" | "title" | "version">;

type AssumptionResult = Omit<AssumptionRow, "id" | "name">;

/** A check with its result for one version. */
interface Outcome extends Step {
  readonly result: Result;
}

/** Checks the options, and returns the checks in order: those for each version, then those for one. */
function open(options: ConformanceOptions, caller: string): Run {
  const settings = readOptions(options, caller);
  const session = new Session(settings);
  const chosenVersions = versions.filter(({ contract }) => settings.versions.includes(contract.version));
  const services = chosenVersions.map((version) => new Service(session, version));
  const main = services[Math.floor(services.length / 2)] as Service;
  const step = (check: Check, service: Service) => ({ check, service, unmet: unmetNeed(check, service) });
  const chosen = checks.filter(({ id }) => settings.only.some((pattern) => isNamed(id, pattern)));
  for (const pattern of settings.only) {
    const isKnown = chosen.some(({ id }) => isNamed(id, pattern));
    new Checks({ caller }).must(isKnown, "only", "name rules or assumptions that have a check", pattern, describeValue);
  }
  const each = services.flatMap((service) => chosen.flatMap((check) => (check.once ? [] : step(check, service))));
  return { settings, session, steps: [...each, ...chosen.flatMap((check) => (check.once ? step(check, main) : []))] };
}

/** Whether a pattern, such as `G-EVT-*`, matches an id. */
const isNamed = (id: string, pattern: string) => new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(id);

function unmetNeed(check: Check, { settings }: Service): string | undefined {
  const { deliveries } = check;
  const writes = writesOf(check, settings);
  if (writes !== undefined && !settings.allowWrites) return `needs \`allowWrites\`, because it writes ${writes}`;
  if (deliveries && !settings.receiver) return "needs a receiver of deliveries";
  if (deliveries && !settings.trigger) return "needs a trigger, which makes the service send a delivery";
  return undefined;
}

/** Returns the kind of records that a check writes. */
function writesOf({ writes, reads }: Check, { endpointId }: Settings): Check["writes"] {
  return reads && endpointId !== undefined ? undefined : writes;
}

async function resultOf({ check, service, unmet }: Step): Promise<Result> {
  const hide = (text: string) => service.session.hide(text);
  if (unmet !== undefined) return { outcome: "not-observable", reason: unmet };
  try {
    const shown = await check.run(service);
    if (check.kind !== "assumption") return { outcome: "holds" };
    const { value, evidence } = shown as Observed;
    const { default: byDefault = null } = check;
    const differs = JSON.stringify(value) !== JSON.stringify(byDefault);
    return { outcome: "observed", value, default: byDefault, differs, evidence: hide(evidence) };
  } catch (error) {
    const { message } = error as Error;
    const isDeviation = error instanceof Deviation;
    if (isDeviation && check.kind !== "assumption") return { outcome: "fails", ...error.evidence };
    const isExpected = isDeviation || error instanceof NotObservable;
    return { outcome: "not-observable", reason: hide(isExpected ? message : `unexpected response: ${message}`) };
  }
}

/** The number of endpoints that fail to be disabled before the others are left, too. */
const MOST_LEFT = 3;

/** Disables the endpoints that the run created. Returns the endpoints that may still be enabled. */
async function disableAll(session: Session): Promise<string[]> {
  const left: string[] = [];
  for (const id of session.endpoints.keys())
    if (left.length >= MOST_LEFT || !(await session.disable(id))) left.push(id);
  return [...session.lost, ...left];
}

/** Returns a row for each rule: its worst result in any version. */
function ruleRows(outcomes: readonly Outcome[]): RuleRow[] {
  return [...new Set(outcomes.map(({ check }) => check))].map((check) => {
    const own = outcomes.filter((each) => each.check === check);
    const having = (outcome: RuleRow["outcome"]) => own.find(({ result }) => result.outcome === outcome);
    const worst = having("fails") ?? having("not-observable");
    const { id, title } = check;
    const row = { id, title, outcome: "holds" } as const;
    return worst ? { ...row, version: worst.service.version, ...(worst.result as RuleResult) } : row;
  });
}
