import { type Json, NotObservable, type Observed } from "./outcome.ts";
import rules from "./rules.json" with { type: "json" };
import type { Service } from "./service.ts";

/** The text of every rule and assumption, by its id. */
const TITLES: Readonly<Record<string, string>> = rules;

/** The needs of a check. A check whose needs are not met is not observable. */
export interface Needs {
  /** The maximum number of requests, for each version. Defaults to 4. */
  readonly requests?: number;
  /** The kind of records that it creates or changes. */
  readonly writes?: "endpoints" | "events";
  /** The kind of record that it only reads. A record from the run's options is sufficient. */
  readonly reads?: "endpoint";
  /** Whether it needs a receiver of deliveries, and a function that makes the service send one. */
  readonly deliveries?: boolean;
  /** Whether it runs once instead of for each version. */
  readonly once?: boolean;
}

/** The needs of most checks: a few requests that change nothing. */
export const FEW: Needs = {};

/** A check of a rule, an assumption or an operation. */
export interface Check extends Needs {
  readonly kind: "rule" | "assumption" | "operation";
  /** The id of a rule or an assumption in `docs/rules.md`, or of an operation. */
  readonly id: string;
  /** The rule; of an assumption the setting: a field of `assumptions`, or a field of one, such as `eventName.maxLength`. */
  readonly title: string;
  /** The default of an assumption. */
  readonly default?: Json;
  /**
   * Resolves if the rule holds, with the clauses that were not tried, or with the value of the assumption. Throws a
   * `Deviation` if the rule does not hold.
   */
  readonly run: (service: Service) => Promise<unknown>;
}

type Run = Check["run"];

/** A part of a rule's sentence, and what tries it. */
type Clauses = Readonly<Record<string, Run>>;

/** A clause that cannot be tried. */
const never = (reason: string) => (): Promise<never> => Promise.reject(new NotObservable(reason));

/**
 * Describes the check of a rule, or of an assumption that no setting changes. A rule with several clauses holds only if each
 * was tried.
 *
 * @param untried Clauses that no request shows, with the reason.
 */
export function rule(
  id: string,
  needs: Needs,
  run: Run | Clauses,
  untried: Readonly<Record<string, string>> = {},
): Check {
  const more = Object.entries(untried).map(([name, reason]) => [name, never(reason)] as const);
  const clauses = { ...(typeof run === "function" ? { "": run } : run), ...Object.fromEntries(more) };
  return { kind: "rule", id, title: TITLES[id] ?? "", ...needs, run: (service) => tryEach(service, clauses) };
}

/** Returns a clause for each name. */
export const eachOf = <Name extends string>(
  names: readonly Name[],
  run: (service: Service, name: Name) => Promise<unknown>,
): Clauses => Object.fromEntries(names.map((name) => [name, (service: Service) => run(service, name)]));

/** Tries each clause. Returns what could not be tried, and why. */
async function tryEach(service: Service, clauses: Clauses): Promise<readonly string[]> {
  const failures: NotObservable[] = [];
  const untried: string[] = [];
  for (const [name, run] of Object.entries(clauses)) {
    try {
      const found = await run(service);
      if (Array.isArray(found)) untried.push(...found);
    } catch (error) {
      if (!(error instanceof NotObservable)) throw error;
      failures.push(error);
      untried.push(name === "" ? error.message : `${name} (${error.message})`);
    }
  }
  const [first] = failures;
  if (first && failures.length === Object.keys(clauses).length) throw first;
  return untried;
}

/** Describes the check of an assumption: of the setting `name`, which has a default. */
export function assumption(
  id: string,
  name: string,
  byDefault: Json,
  needs: Needs,
  run: (service: Service) => Promise<Observed>,
): Check {
  return { kind: "assumption", id, title: name, default: byDefault, once: true, ...needs, run };
}

/** Describes a rule, or the assumption of a setting, that no request can show. */
export function unobservable(id: string, reason: string, name?: string): Check {
  const run = never(reason);
  const needs = { once: true, requests: 0 };
  return name === undefined ? rule(id, needs, run) : assumption(id, name, null, needs, run);
}
