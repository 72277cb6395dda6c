import { Checks } from "../src/errors/checks.ts";
import { describeValue } from "../src/values/describe.ts";
import type { Check } from "./check.ts";
import { checks } from "./checks/index.ts";
import { mostMebibytes } from "./checks/limits.ts";
import { type ConformanceOptions, readOptions, type Settings } from "./options.ts";
import { Deviation, NotObservable, type Observed } from "./outcome.ts";
import {
  type AssumptionRow,
  type ConformancePlan,
  type ConformanceReport,
  choicesOf,
  type OperationRow,
  type RuleRow,
} from "./report.ts";
import { Requester } from "./requester.ts";
import { Service } from "./service.ts";
import { type Survey, survey } from "./survey.ts";
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
  const { settings, requester, services, chosen } = open(options, "runConformance");
  const startedAt = new Date().toISOString();
  requester.maxRequests = settings.maxRequests ?? planOf({ settings, requester, services, chosen }).requests;
  const outcomes: Outcome[] = [];
  let found: Survey;
  let leftEnabled: readonly string[] = [];
  try {
    found = await survey(requester, services);
    const steps = stepsOf(chosen, found.served);
    for (const [done, step] of steps.entries()) {
      const { version } = step.service;
      options.onProgress?.({ id: step.check.id, version, done, total: steps.length, requests: requester.requests });
      outcomes.push({ ...step, result: await resultOf(step, found.problem) });
    }
  } finally {
    leftEnabled = (await disableAll(requester)).map((name) => requester.hide(name));
  }
  const aborted = settings.signal?.aborted ?? false;
  const of = (kind: Check["kind"]) => outcomes.filter(({ check }) => check.kind === kind);
  const assumptions = of("assumption").map(({ check: { id, title: name }, result }) => {
    return { id, name, ...(result as AssumptionResult) };
  });
  const operations = of("operation").map(({ check: { id }, service: { version }, result }) => {
    return { id, version, ...(result as Omit<OperationRow, "id" | "version">) };
  });
  return {
    baseUrl: settings.baseUrl,
    versions: found.served.map(({ version }) => version),
    notes: found.notes.map((note) => requester.hide(note)),
    ...(found.problem !== undefined && { problem: requester.hide(found.problem) }),
    startedAt,
    finishedAt: new Date().toISOString(),
    requests: requester.requests,
    aborted,
    complete: !aborted && !requester.ended,
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

/** The requests that find what the service serves and accepts, and that disable what was created. */
const FIXTURE_REQUESTS = 100;

function planOf({ settings, services, chosen }: Run): ConformancePlan {
  const steps = stepsOf(chosen, services).filter(({ check }) => unmetNeed(check, settings) === undefined);
  const checked = steps.map(({ check }) => check);
  const writes = (kind: Check["writes"]) => checked.some((check) => writesOf(check, settings) === kind);
  const { tokens, origins } = settings;
  // Each token is shown to three probes of each version, and to each operation.
  const others = (FIXTURE_REQUESTS + 12 * tokens.length) * services.length + origins.length;
  const bodies = `request bodies of up to ${mostMebibytes(settings)} MiB in total, to find the largest (G-BODY-MAX)`;
  const failing = "deliveries that fail until the service disables an endpoint, about which it may send an email";
  return {
    requests: checked.reduce((sum, { requests = 4 }) => sum + requests, others),
    writes: [
      ...(writes("endpoints") ? ["webhook endpoints, which are disabled at once or at the end"] : []),
      ...(writes("events") ? ["usage events and their names, which stay"] : []),
      ...(checked.some(({ id }) => id === "G-BODY-MAX") ? [bodies] : []),
      ...(settings.retryMinutes && checked.some(({ id }) => id === "G-DISABLE") ? [failing] : []),
    ],
  };
}

/** A check for one version. */
interface Step {
  readonly check: Check;
  readonly service: Service;
}

interface Run {
  readonly settings: Settings;
  readonly requester: Requester;
  readonly services: readonly Service[];
  readonly chosen: readonly Check[];
}

/** What a check showed, as the row of a report contains it. */
type Result = RuleResult | AssumptionResult;

type RuleResult = Omit<RuleRow, "id" | "title" | "version">;

type AssumptionResult = Omit<AssumptionRow, "id" | "name">;

/** A check with its result for one version. */
interface Outcome extends Step {
  readonly result: Result;
}

/** Checks the options. Returns the services of the versions, and the checks. */
function open(options: ConformanceOptions, caller: string): Run {
  const settings = readOptions(options, caller);
  const requester = new Requester(settings);
  const services = versions
    .filter(({ contract }) => settings.versions.includes(contract.version))
    .map((version) => new Service(requester, version));
  const chosen = checks.filter(({ id }) => settings.only.some((pattern) => isNamed(id, pattern)));
  for (const pattern of settings.only) {
    const isKnown = chosen.some(({ id }) => isNamed(id, pattern));
    new Checks({ caller }).must(isKnown, "only", "name rules or assumptions that have a check", pattern, describeValue);
  }
  return { settings, requester, services, chosen };
}

/** Returns the checks in order: those for each version, then those for one. */
function stepsOf(chosen: readonly Check[], services: readonly Service[]): Step[] {
  const main = services[Math.floor(services.length / 2)] as Service;
  const each = services.flatMap((service) => chosen.flatMap((check) => (check.once ? [] : { check, service })));
  return [...each, ...chosen.flatMap((check) => (check.once ? { check, service: main } : []))];
}

/** Whether a pattern, such as `G-EVT-*`, matches an id. */
const isNamed = (id: string, pattern: string) => new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(id);

function unmetNeed(check: Check, settings: Settings): NotObservable | undefined {
  const { deliveries } = check;
  const writes = writesOf(check, settings);
  if (writes !== undefined && !settings.allowWrites) return new NotObservable(`it writes ${writes}`, "allowWrites");
  if (deliveries && !settings.receiver) return new NotObservable("needs a receiver of deliveries", "receiver");
  if (deliveries && !settings.trigger)
    return new NotObservable("needs a trigger, which makes the service send a delivery", "trigger");
  return undefined;
}

/** Returns the kind of records that a check writes. */
function writesOf({ writes, reads }: Check, { endpointId }: Settings): Check["writes"] {
  return reads && endpointId !== undefined ? undefined : writes;
}

/** How often a check runs again because the service answered a 5xx in between. */
const MOST_RUNS = 3;

/** Runs a check. Its deviation counts only if nothing disturbed it: a request that was sent again may count twice. */
async function resultOf({ check, service }: Step, problem: string | undefined): Promise<Result> {
  const { requester, settings } = service;
  const unmet = problem === undefined ? unmetNeed(check, settings) : new NotObservable(problem);
  if (unmet !== undefined) return notObservable(unmet, requester);
  for (let runs = 1; ; runs++) {
    const before = requester.disturbances;
    const result = await outcomeOf(check, service);
    if (!["fails", "differs"].includes(result.outcome) || requester.disturbances === before) return result;
    if (runs === MOST_RUNS) return notObservable(new NotObservable("the service answered 5xx in between"), requester);
  }
}

const notObservable = ({ message, option }: NotObservable, requester: Requester) =>
  ({ outcome: "not-observable", reason: requester.hide(message), ...(option && { option }) }) as const;

async function outcomeOf(check: Check, service: Service): Promise<Result> {
  const { requester } = service;
  try {
    const shown = await check.run(service);
    if (check.kind === "operation") return { outcome: "holds" };
    if (check.kind === "rule") {
      const untried = shown as readonly string[];
      if (untried.length === 0) return { outcome: "holds" };
      return { outcome: "partly", reason: requester.hide(`not tried: ${untried.join("; ")}`) };
    }
    const { value, evidence } = shown as Observed;
    const { default: byDefault = null } = check;
    const differs = JSON.stringify(value) !== JSON.stringify(byDefault);
    return { outcome: "observed", value, default: byDefault, differs, evidence: requester.hide(evidence) };
  } catch (error) {
    if (error instanceof Deviation && check.kind !== "assumption")
      return { outcome: check.id.startsWith("G-") ? "differs" : "fails", ...error.evidence };
    if (error instanceof NotObservable) return notObservable(error, requester);
    const { message } = error as Error;
    const isDeviation = error instanceof Deviation;
    return notObservable(new NotObservable(isDeviation ? message : `unexpected response: ${message}`), requester);
  }
}

/** The number of endpoints that fail to be disabled before the others are left, too. */
const MOST_LEFT = 3;

/** Disables the endpoints that the run created. Returns the endpoints that may still be enabled. */
async function disableAll(requester: Requester): Promise<string[]> {
  const left: string[] = [];
  for (const id of requester.endpoints.keys())
    if (left.length >= MOST_LEFT || !(await requester.disable(id))) left.push(id);
  return [...requester.lost, ...left];
}

/** The outcomes of a rule in several versions, the one that counts first. */
const WORST = ["fails", "differs", "partly", "not-observable"] as const;

/** Returns a row for each rule: its worst result in any version. It holds partly if it could not be tried in one of them. */
function ruleRows(outcomes: readonly Outcome[]): RuleRow[] {
  return [...new Set(outcomes.map(({ check }) => check))].map((check) => {
    const own = outcomes.filter((each) => each.check === check);
    const [worst] = WORST.flatMap((outcome) => own.find(({ result }) => result.outcome === outcome) ?? []);
    const { id, title } = check;
    if (!worst) return { id, title, outcome: "holds" };
    const row = { id, title, version: worst.service.version, ...(worst.result as RuleResult) };
    const isTried = own.some(({ result }) => result.outcome === "holds" || result.outcome === "partly");
    return row.outcome === "not-observable" && isTried ? { ...row, outcome: "partly" } : row;
  });
}
