import type { Contract } from "../src/contract/index.ts";
import type { AssumptionCheck, Check, OperationCheck, RuleCheck } from "./check.ts";
import { checks, unobservable } from "./checks/index.ts";
import { mostMebibytes } from "./checks/limits.ts";
import { Connection } from "./connection.ts";
import { disable } from "./fixtures.ts";
import { versions } from "./generated/versions.ts";
import { type ConformanceOptions, readOptions, type Settings } from "./options.ts";
import { Deviation, type Evidence, type Json, NotObservable, type Observed } from "./outcome.ts";
import {
  type AssumptionRow,
  type ConformancePlan,
  type ConformanceReport,
  choicesOf,
  type OperationRow,
  type RuleRow,
} from "./report.ts";
import { Service, type Session, TOKEN } from "./service.ts";

/**
 * Sends requests to a service, and reports which rules of the specification hold and what the service does where the
 * specification leaves something open. It creates webhook endpoints and usage events only if `allowWrites` is true, and
 * disables the endpoints at the end, even if the run is aborted. It resolves with a report whatever the service does.
 *
 * @example
 * ```ts
 * const report = await runConformance({ baseUrl: "http://127.0.0.1:4010", tokens: [{ token, kind: "oat" }] });
 * const mock = createMock({ assumptions: report.choices });
 * ```
 * @throws InvalidInputError when an option is unknown or invalid; no request is sent.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const run = open(options, "runConformance");
  const { settings, session, steps } = run;
  const { connection } = session;
  const startedAt = new Date().toISOString();
  connection.maxRequests = settings.maxRequests ?? planOf(run).requests;
  const outcomes = new Map<Check, Outcome[]>();
  let leftEnabled: readonly string[] = [];
  try {
    for (const [done, { check, service, unmet }] of steps.entries()) {
      const { version } = service;
      options.onProgress?.({ id: check.id, version, done, total: steps.length, requests: connection.requests });
      const outcome = unmet === undefined ? await outcomeOf(check, service) : { version, reason: unmet };
      outcomes.set(check, [...(outcomes.get(check) ?? []), outcome]);
    }
  } finally {
    leftEnabled = await disableAll(session);
  }
  const aborted = settings.signal?.aborted ?? false;
  const assumptions = rowsOf(outcomes, "assumption", assumptionRow, settings);
  return {
    baseUrl: settings.baseUrl,
    versions: settings.versions,
    startedAt,
    finishedAt: new Date().toISOString(),
    requests: connection.requests,
    aborted,
    complete: !aborted && !connection.ended,
    rules: rowsOf(outcomes, "rule", ruleRow, settings),
    assumptions,
    operations: rowsOf(outcomes, "operation", operationRows, settings),
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
  return {
    requests: checked.reduce((sum, { requests }) => sum + requests, others),
    writes: [
      ...(writes("endpoints") ? ["webhook endpoints, which are disabled at the end"] : []),
      ...(writes("events") ? ["usage events of customers that exist only for the run, or of the given customer"] : []),
      ...(checked.some(({ id }) => id === "G-BODY-MAX")
        ? [`request bodies of up to ${mostMebibytes(settings)} MiB in total, to find the largest (G-BODY-MAX)`]
        : []),
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

interface Outcome {
  readonly version: string;
  readonly observed?: Observed | undefined;
  readonly deviation?: Deviation;
  readonly reason?: string;
}

/** Checks the options, and returns the checks in order: those for each version, then those for one. */
function open(options: ConformanceOptions, caller: string): Run {
  const settings = readOptions(options, caller);
  const session: Session = {
    settings,
    connection: new Connection(settings),
    run: crypto.randomUUID().slice(0, 8),
    hidden: hiddenOf(settings),
    endpoints: new Map(),
    lost: [],
    receiving: new Set(),
    results: new Map(),
  };
  const services = settings.versions.map((version) => new Service(session, contractOf(version)));
  const main = services[Math.floor(services.length / 2)] as Service;
  const step = (check: Check, service: Service) => ({ check, service, unmet: unmetNeed(check, service, settings) });
  const chosen = checks.filter(({ id }) => isChosen(id, settings));
  const [once, each] = [chosen.filter(isOnce), chosen.filter((check) => !isOnce(check))];
  const steps = services.flatMap((service) => each.map((check) => step(check, service)));
  return { settings, session, steps: [...steps, ...once.map((check) => step(check, main))] };
}

/** Returns what a report must not contain: the credentials, and the ids that the caller gave. */
function hiddenOf({ tokens, customerId, endpointId }: Settings): Map<string, string> {
  const credentials = tokens.map(({ token }) => [token, TOKEN] as const);
  const organizations = tokens.map(({ organizationId }) => [organizationId, "<organization>"] as const);
  const endpoints = [endpointId, endpointId?.toUpperCase()].map((id) => [id, "<endpoint>"] as const);
  const ids = [...organizations, [customerId, "<customer>"] as const, ...endpoints];
  return new Map([...credentials, ...ids].flatMap(([id, name]) => (id ? [[id, name]] : [])));
}

function isChosen(id: string, { only }: Pick<Settings, "only">): boolean {
  return only.some((pattern) => new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(id));
}

/** Whether a check runs for one version only. */
function isOnce({ kind, once = kind === "assumption" }: Check): boolean {
  return once;
}

function contractOf(version: string): Contract {
  return versions.find(({ contract }) => contract.version === version)?.contract as Contract;
}

function unmetNeed(check: Check, service: Service, settings: Settings): string | undefined {
  const { tokens = [], deliveries, burst } = check;
  const writes = writesOf(check, settings);
  const { receiver, trigger } = settings;
  const kind = tokens.find((each) => !service.find({ kind: each }));
  if (kind !== undefined) return `needs a token of the kind ${kind}`;
  if (writes !== undefined && !settings.allowWrites) return `needs \`allowWrites\`, because it writes ${writes}`;
  if (deliveries && !receiver) return "needs a receiver of deliveries";
  if (deliveries && !trigger) return "needs a trigger, which makes the service send a delivery";
  if (!burst || settings.requestsPerSecond === Number.POSITIVE_INFINITY) return undefined;
  return `the run sends only ${settings.requestsPerSecond} requests per second`;
}

/** Returns the kind of records that a check writes. */
function writesOf({ writes, reads }: Check, { endpointId }: Settings): Check["writes"] {
  return reads && endpointId !== undefined ? undefined : writes;
}

async function outcomeOf(check: Check, service: Service): Promise<Outcome> {
  const { version } = service;
  try {
    const observed = (await check.run(service)) as Observed | undefined;
    if (check.kind !== "assumption" || !observed) return { version };
    return { version, observed: { ...observed, evidence: service.hide(observed.evidence) } };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof Deviation)
      return check.kind === "assumption" ? { version, reason: message } : { version, deviation: error };
    const reason = error instanceof NotObservable ? message : `unexpected response: ${message}`;
    return { version, reason: service.hide(reason) };
  }
}

/** The number of endpoints that fail to be disabled before the others are left, too. */
const MOST_LEFT = 3;

/** Disables the endpoints that the run created. Returns the endpoints that may still be enabled. */
async function disableAll(session: Session): Promise<string[]> {
  const left: string[] = [];
  for (const id of session.endpoints.keys())
    if (left.length >= MOST_LEFT || !(await disable(session, id))) left.push(id);
  return [...session.lost, ...left];
}

/** Returns the rows of the chosen checks of a kind, and of what no check can observe. */
function rowsOf<Row>(
  outcomes: ReadonlyMap<Check, readonly Outcome[]>,
  kind: Check["kind"],
  row: (check: never, outcomes: readonly Outcome[]) => Row | readonly Row[],
  settings: Settings,
): Row[] {
  const observed = [...outcomes].flatMap(([check, each]) => (check.kind === kind ? row(check as never, each) : []));
  const others = unobservable.filter((each) => each.kind === kind && isChosen(each.id, settings));
  return [...observed, ...others.flatMap(({ reason, ...each }) => row(each as never, [{ version: "", reason }]))];
}

function ruleRow({ id, section, title }: RuleCheck, outcomes: readonly Outcome[]): RuleRow {
  const worst = outcomes.find(({ deviation }) => deviation) ?? outcomes.find(({ reason }) => reason !== undefined);
  const { version, ...outcome } = { version: worst?.version ?? "", ...resultOf(worst) };
  return { id, section, title, ...(version !== "" && { version }), ...outcome };
}

function operationRows({ id }: OperationCheck, outcomes: readonly Outcome[]): OperationRow[] {
  return outcomes.map((outcome) => ({ id, version: outcome.version, ...resultOf(outcome) }));
}

function resultOf({
  deviation,
  reason,
}: Partial<Outcome> = {}): Pick<RuleRow, "outcome" | "reason"> & Partial<Evidence> {
  if (deviation) return { outcome: "fails", ...deviation.evidence };
  return reason === undefined ? { outcome: "holds" } : { outcome: "not-observable", reason };
}

function assumptionRow(check: AssumptionCheck, [outcome]: readonly Outcome[]): AssumptionRow {
  const { id, section, name, default: byDefault } = check;
  const row = { id, section, name };
  const { observed, reason = "no value was found" } = outcome as Outcome;
  if (!observed) return { ...row, outcome: "not-observable", reason };
  const { value, evidence } = observed;
  return { ...row, outcome: "observed", value, default: byDefault, differs: !isSame(value, byDefault), evidence };
}

function isSame(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
