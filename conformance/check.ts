import { type Json, NotObservable, type Observed } from "./report.ts";
import rules from "./rules.json" with { type: "json" };
import type { Service } from "./service.ts";

/** The text of every rule and assumption, by its id. */
const TITLES: Readonly<Record<string, string>> = rules;

/** The needs of a check. A check whose needs are not met is not observable. */
export interface Needs {
  /** The kind of records that it creates or changes. */
  readonly writes?: "endpoints" | "events";
  /** The kind of record that it only reads. A record from the run's options is sufficient. */
  readonly reads?: "endpoint";
  /** Whether it needs a receiver of deliveries, and a function that makes the service send one. */
  readonly deliveries?: boolean;
  /** Whether it runs once instead of for each version. */
  readonly once?: boolean;
}

/** A check of a rule or an assumption. */
export interface Check extends Needs {
  readonly kind: "rule" | "assumption";
  /** The id of a rule or an assumption in `docs/rules.md`. */
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

/** Returns a clause that no request shows. */
export const untried = (reason: string) => (): Promise<never> => Promise.reject(new NotObservable(reason));

/**
 * Describes the check of a rule, or of an assumption that no setting changes. A rule with several clauses holds only if each
 * was tried.
 */
export function rule(id: string, run: Run | Clauses, needs: Needs = {}): Check {
  const clauses = typeof run === "function" ? { "": run } : run;
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
  const skipped = new Set<string>();
  for (const [name, run] of Object.entries(clauses)) {
    try {
      const found = await run(service);
      if (Array.isArray(found)) for (const what of found) skipped.add(what);
    } catch (error) {
      if (!(error instanceof NotObservable)) throw error;
      failures.push(error);
      skipped.add(name === "" ? error.message : `${name} (${error.message})`);
    }
  }
  const [first] = failures;
  if (first && failures.length === Object.keys(clauses).length) throw first;
  return [...skipped];
}

/** Describes the check of an assumption: of the setting `name`, which has a default. */
export function assumption(
  id: string,
  name: string,
  byDefault: Json,
  run: (service: Service) => Promise<Observed>,
  needs: Needs = {},
): Check {
  return { kind: "assumption", id, title: name, default: byDefault, once: true, ...needs, run };
}

/** Returns checks with the same needs, in addition to those of each. */
export const needing = (needs: Needs, ...checks: readonly Check[]): readonly Check[] =>
  checks.map((check) => ({ ...needs, ...check }));
