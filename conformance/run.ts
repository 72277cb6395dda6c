import type { Contract } from "../src/contract/index.ts";
import { Checks } from "../src/errors/checks.ts";
import type { AssumptionCheck, Check, Observed, RuleCheck } from "./check.ts";
import { checks, unobservable } from "./checks/index.ts";
import { Connection } from "./connection.ts";
import { versions } from "./generated/versions.ts";
import {
  type ConformanceOptions,
  type ConformancePlanOptions,
  readOptions,
  readPlanOptions,
  type Settings,
} from "./options.ts";
import { Deviation, type Json, NotObservable } from "./outcome.ts";
import { type AssumptionRow, type ConformancePlan, type ConformanceReport, choicesOf, type RuleRow } from "./report.ts";
import { Service, type Session } from "./service.ts";

/**
 * Sends requests to a service, and reports which rules of the specification hold, and what the service does where the
 * specification leaves something open. It creates webhook endpoints and usage events only if `allowWrites` says so, and
 * disables the endpoints at the end, also if the run is aborted. It resolves with a report whatever the service does.
 *
 * @example
 * ```ts
 * const report = await runConformance({ baseUrl: "http://127.0.0.1:4010", tokens: [{ token, kind: "oat" }] });
 * const mock = createMock({ assumptions: report.choices });
 * ```
 * @throws InvalidInputError when an option is unknown or invalid. No request is sent then.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const settings = readOptions(options);
  const { connection, session } = open(settings, options);
  const startedAt = new Date().toISOString();
  const outcomes = new Map<Check, Outcome[]>();
  const steps = stepsOf(settings, session);
  for (const [done, { check, service }] of steps.entries()) {
    const { version } = service;
    options.onProgress?.({ id: check.id, version, done, total: steps.length, requests: connection.requests });
    outcomes.set(check, [...(outcomes.get(check) ?? []), await outcomeOf(check, service, settings)]);
  }
  const leftEnabled = await disableAll(session);
  const assumptions = rowsOf(outcomes, "assumption", assumptionRow, settings);
  return {
    baseUrl: settings.baseUrl,
    versions: settings.versions,
    startedAt,
    finishedAt: new Date().toISOString(),
    requests: connection.requests,
    aborted: settings.signal?.aborted ?? false,
    rules: rowsOf(outcomes, "rule", ruleRow, settings),
    assumptions,
    operations: [],
    leftEnabled,
    choices: choicesOf(assumptions),
  };
}

/**
 * Returns what `runConformance` may do with the same options, without sending a request.
 *
 * @throws InvalidInputError when an option is unknown or invalid.
 */
export function planConformance(options: ConformancePlanOptions): ConformancePlan {
  const settings = readPlanOptions(options, new Checks({ caller: "planConformance" }), false);
  const chosen = chosenChecks(settings);
  const rounds = (check: Check) => (check.kind === "rule" ? settings.versions.length : 1);
  const count = (each: readonly Check[]) => each.reduce((sum, check) => sum + check.requests * rounds(check), 0);
  const writing = settings.allowWrites ? chosen.filter(({ writes }) => writes !== undefined) : [];
  const has = (kind: Check["writes"]) => writing.some(({ writes }) => writes === kind);
  return {
    requests: count(chosen) + FIXTURE_REQUESTS * settings.versions.length,
    writes: [
      ...(has("endpoints") ? ["webhook endpoints, which are disabled at the end"] : []),
      ...(has("events") ? ["usage events of customers that exist only for the run, or of the given customer"] : []),
    ],
  };
}

/** The requests that find an event and an endpoint that the service accepts, for each version. */
const FIXTURE_REQUESTS = 40;

interface Step {
  readonly check: Check;
  readonly service: Service;
}

interface Outcome {
  readonly version: string;
  readonly observed?: Observed | undefined;
  readonly deviation?: Deviation;
  readonly reason?: string;
}

function open(settings: Settings, options: ConformanceOptions): { connection: Connection; session: Session } {
  const { requests } = planConformance(planOptionsOf(options));
  const connection = new Connection({ ...settings, maxRequests: settings.maxRequests ?? requests });
  const session: Session = {
    connection,
    tokens: settings.tokens,
    run: crypto.randomUUID().slice(0, 8),
    customerId: options.customerId,
    receiver: options.receiver,
    trigger: options.trigger,
    hidden: new Map(settings.tokens.map(({ token }) => [token, "<token>"])),
    endpoints: new Map(),
    lost: [],
    secrets: new Set(),
  };
  return { connection, session };
}

function planOptionsOf({
  tokens,
  versions,
  only,
  receiver,
  trigger,
  allowWrites,
}: ConformanceOptions): ConformancePlanOptions {
  return { tokens, versions, only, receiver, trigger, allowWrites };
}

function chosenChecks({ only }: Pick<Settings, "only">): readonly Check[] {
  return checks.filter(({ id }) => isChosen(id, only));
}

function isChosen(id: string, only: readonly string[]): boolean {
  return only.some((pattern) => new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(id));
}

/** Returns the checks in order: the rules for each version, then the assumptions for one. */
function stepsOf(settings: Settings, session: Session): readonly Step[] {
  const chosen = chosenChecks(settings);
  const services = settings.versions.map((version) => new Service(session, contractOf(version)));
  const main = services[Math.floor(services.length / 2)] as Service;
  return [
    ...services.flatMap((service) => chosen.flatMap((check) => (check.kind === "rule" ? { check, service } : []))),
    ...chosen.flatMap((check) => (check.kind === "assumption" ? { check, service: main } : [])),
  ];
}

function contractOf(version: string): Contract {
  return versions.find(({ contract }) => contract.version === version)?.contract as Contract;
}

async function outcomeOf(check: Check, service: Service, settings: Settings): Promise<Outcome> {
  const { version } = service;
  const reason = unmetNeed(check, service, settings);
  if (reason !== undefined) return { version, reason };
  try {
    return { version, observed: (await check.run(service)) ?? undefined };
  } catch (error) {
    if (error instanceof Deviation)
      return check.kind === "rule" ? { version, deviation: error } : { version, reason: error.message };
    const { message } = error as Error;
    return {
      version,
      reason: service.hide(error instanceof NotObservable ? message : `unexpected response: ${message}`),
    };
  }
}

function unmetNeed(
  { tokens = [], writes, deliveries }: Check,
  service: Service,
  settings: Settings,
): string | undefined {
  const kind = tokens.find((each) => !service.find({ kind: each }));
  if (kind !== undefined) return `needs an ${kind} token`;
  if (writes !== undefined && !settings.allowWrites) return `needs allowWrites, because it writes ${writes}`;
  if (deliveries && !service.session.receiver) return "needs a receiver of deliveries";
  return deliveries && !service.session.trigger
    ? "needs a trigger, which makes the service send a delivery"
    : undefined;
}

/** Disables the endpoints that the run created. Returns those that may be enabled. */
async function disableAll({ endpoints, lost, connection }: Session): Promise<string[]> {
  const left: string[] = [...lost];
  for (const [id, token] of endpoints) {
    const sent = { token, json: { enabled: false }, cleanup: true };
    const { status } = await connection.send(`PATCH /v1/webhooks/endpoints/${id}`, sent).catch(() => ({ status: 0 }));
    if (status < 200 || status > 299) left.push(id);
  }
  return left;
}

/** Returns the rows of the chosen checks of a kind, and of what no check can observe, by id. */
function rowsOf<Row extends { readonly id: string }>(
  outcomes: ReadonlyMap<Check, readonly Outcome[]>,
  kind: Check["kind"],
  row: (check: never, outcomes: readonly Outcome[]) => Row,
  { only }: Settings,
): Row[] {
  const observed = [...outcomes].flatMap(([check, each]) => (check.kind === kind ? row(check as never, each) : []));
  const others = unobservable.filter((each) => each.kind === kind && isChosen(each.id, only));
  return [...observed, ...others.map(({ reason, ...each }) => row(each as never, [{ version: "", reason }]))];
}

function ruleRow({ id, section, title }: RuleCheck, outcomes: readonly Outcome[]): RuleRow {
  const row = { id, section, title };
  const failed = outcomes.find(({ deviation }) => deviation);
  if (failed?.deviation) return { ...row, version: failed.version, outcome: "fails", ...failed.deviation.evidence };
  const unclear = outcomes.find(({ reason }) => reason !== undefined);
  if (!unclear) return { ...row, outcome: "holds" };
  const version = unclear.version === "" ? {} : { version: unclear.version };
  return { ...row, ...version, outcome: "not-observable", reason: unclear.reason as string };
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
