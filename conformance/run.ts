import type { Check } from "./check.ts";
import { checks } from "./checks/index.ts";
import {
  type AssumptionRow,
  type ConformanceReport,
  choicesOf,
  Deviation,
  NotObservable,
  type Observed,
  type RuleRow,
} from "./report.ts";
import { Requester } from "./requester.ts";
import { Service } from "./service.ts";
import { type ConformanceOptions, contracts, type Settings, settingsOf } from "./settings.ts";
import { type Survey, survey } from "./survey.ts";

/**
 * Sends requests to a service, and reports which rules of the specification hold and what the service does where the
 * specification leaves something open. It creates webhook endpoints and usage events only if `allowWrites` is true, and
 * disables the endpoints at the end, even if the run is aborted. It resolves with a report whatever the service does.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const settings = settingsOf(options);
  const requester = new Requester(settings);
  const services = contracts
    .filter(({ version }) => settings.versions.includes(version))
    .map((contract) => new Service(requester, contract));
  const startedAt = new Date().toISOString();
  const outcomes: Outcome[] = [];
  let found: Survey;
  let leftEnabled: readonly string[] = [];
  try {
    found = await survey(requester, services);
    const steps = stepsOf(chosenChecks(settings), found.served);
    for (const [done, step] of steps.entries()) {
      const name = `${step.check.id} ${step.service.version}`;
      settings.onProgress?.(`${done}/${steps.length}  ${name}  ${requester.requests} requests`);
      outcomes.push({ ...step, result: await resultOf(step, found.problem) });
    }
  } finally {
    leftEnabled = (await disableAll(requester)).map((name) => requester.hide(name));
  }
  const aborted = settings.signal?.aborted ?? false;
  const assumptions = outcomes
    .filter(({ check }) => check.kind === "assumption")
    .map(({ check: { id, title: name }, result }) => ({ id, name, ...(result as AssumptionResult) }));
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
    rules: ruleRows(outcomes.filter(({ check }) => check.kind === "rule")),
    assumptions,
    leftEnabled,
    choices: choicesOf(assumptions),
  };
}

/** Returns the kinds of records that a run writes, with or without deliveries. */
export function writesOf(
  options: ConformanceOptions,
  withDeliveries: boolean,
): readonly NonNullable<Check["writes"]>[] {
  const settings = settingsOf(options);
  const checked = chosenChecks(settings).filter(({ deliveries }) => withDeliveries || !deliveries);
  return [...new Set(settings.allowWrites ? checked.flatMap((check) => writtenBy(check, settings) ?? []) : [])];
}

/** Returns the checks that a pattern of the options matches, such as `G-EVT-*`. */
export function chosenChecks({ only }: Pick<Settings, "only">): readonly Check[] {
  const patterns = only.map((pattern) => new RegExp(`^${pattern.replaceAll("*", ".*")}$`));
  return checks.filter(({ id }) => patterns.some((pattern) => pattern.test(id)));
}

/** A check for one version. */
interface Step {
  readonly check: Check;
  readonly service: Service;
}

type RuleResult = Omit<RuleRow, "id" | "title" | "version">;
type AssumptionResult = Omit<AssumptionRow, "id" | "name">;

/** What a check showed, as the row of a report contains it. */
type Result = RuleResult | AssumptionResult;

/** A check with its result for one version. */
interface Outcome extends Step {
  readonly result: Result;
}

/** Returns the checks in order: those for each version, then those for one. */
function stepsOf(chosen: readonly Check[], services: readonly Service[]): Step[] {
  const main = services[Math.floor(services.length / 2)] as Service;
  const each = services.flatMap((service) => chosen.flatMap((check) => (check.once ? [] : { check, service })));
  return [...each, ...chosen.flatMap((check) => (check.once ? { check, service: main } : []))];
}

function unmetNeed(check: Check, settings: Settings): NotObservable | undefined {
  const writes = writtenBy(check, settings);
  if (writes !== undefined && !settings.allowWrites)
    return new NotObservable(`it writes ${writes} (run without --read-only)`);
  const { receiver, trigger } = settings;
  if (check.deliveries && !(receiver && trigger))
    return new NotObservable("needs a command that makes the service send an event (--trigger)");
  return undefined;
}

/** Returns the kind of records that a check writes. */
function writtenBy({ writes, reads }: Check, { endpointId }: Settings): Check["writes"] {
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
    if (runs === MOST_RUNS) return notObservable(new Error("the service answered 5xx in between"), requester);
  }
}

const notObservable = ({ message }: Error, requester: Requester) =>
  ({ outcome: "not-observable", reason: requester.hide(message) }) as const;

async function outcomeOf(check: Check, service: Service): Promise<Result> {
  const { requester } = service;
  try {
    const shown = await check.run(service);
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
    if (error instanceof Deviation && check.kind === "rule")
      return { outcome: check.id.startsWith("G-") ? "differs" : "fails", ...error.evidence };
    if (error instanceof NotObservable || error instanceof Deviation) return notObservable(error, requester);
    return notObservable(new Error(`unexpected response: ${(error as Error).message}`), requester);
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
