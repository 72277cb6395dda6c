import { RULES } from "./generated/rules.ts";
import { type Json, NotObservable, type Observed } from "./outcome.ts";
import type { Service } from "./service.ts";

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

/** A check of a rule, an assumption or an operation. */
export interface Check extends Needs {
  readonly kind: "rule" | "assumption" | "operation";
  /** The id of a rule or an assumption in `docs/rules.md`, or of an operation. */
  readonly id: string;
  /** The rule; of an assumption the setting: a field of `assumptions`, or a field of one, such as `eventName.maxLength`. */
  readonly title: string;
  /** The default of an assumption. */
  readonly default?: Json;
  /** Resolves if the rule holds, or with the value of the assumption. Throws a `Deviation` if the rule does not hold. */
  readonly run: (service: Service) => Promise<unknown>;
}

/** Describes the check of a rule, or of an assumption that no setting changes. */
export function rule(id: string, needs: Needs, run: Check["run"]): Check {
  return { kind: "rule", id, title: RULES[id] ?? "", ...needs, run };
}

/** Describes the check of an assumption: of the setting `name`, which has a default. */
export function assumption(
  id: string,
  name: string,
  byDefault: Json,
  needs: Needs,
  run: (service: Service) => Promise<Observed>,
): Check {
  return { ...rule(id, { once: true, ...needs }, run), kind: "assumption", title: name, default: byDefault };
}

/** Describes a rule, or the assumption of a setting, that no request can show. */
export function unobservable(id: string, reason: string, name?: string): Check {
  const run = () => Promise.reject(new NotObservable(reason));
  const needs = { once: true, requests: 0 };
  return name === undefined ? rule(id, needs, run) : assumption(id, name, null, needs, run);
}
