import type { SecuritySchemeName } from "../src/contract/index.ts";
import { RULES } from "./generated/rules.ts";
import type { Json, Observed } from "./outcome.ts";
import type { Service } from "./service.ts";

/** The needs of a check. A check whose needs are not met is not observable. */
export interface Needs {
  /** The maximum number of requests, for each version. */
  readonly requests: number;
  /** Kinds of credential, of each of which it needs a token. */
  readonly tokens?: readonly SecuritySchemeName[];
  /** Whether it sends many requests at once, and needs that no limit of requests per second is set. */
  readonly burst?: boolean;
  /** The kind of records that it creates or changes. */
  readonly writes?: "endpoints" | "events";
  /** The kind of record that it only reads. A record from the run's options is sufficient. */
  readonly reads?: "endpoint";
  /** Whether it needs a receiver of deliveries, and a function that makes the service send one. */
  readonly deliveries?: boolean;
  /** Whether a rule is about no single version, so that it is checked once. */
  readonly once?: boolean;
}

interface CheckBase extends Needs {
  /** The id of a rule or an assumption. */
  readonly id: string;
  /** The section of the specification. */
  readonly section: string;
}

/** Checks a rule, or an assumption that no setting changes, for each version. */
export interface RuleCheck extends CheckBase {
  readonly kind: "rule";
  /** The rule. */
  readonly title: string;
  /** Resolves if the rule holds. Throws a `Deviation` if it does not. */
  readonly run: (service: Service) => Promise<unknown>;
}

/** Finds the value of an assumption that the service shows. */
export interface AssumptionCheck extends CheckBase {
  readonly kind: "assumption";
  /** The setting: a field of `assumptions`, or a field of one, such as `eventName.maxLength`. */
  readonly name: string;
  /** The value by default. */
  readonly default: Json;
  /** Returns the value, and the responses that show it. */
  readonly run: (service: Service) => Promise<Observed>;
}

/** Calls an operation through the client of each version. */
export interface OperationCheck extends CheckBase {
  readonly kind: "operation";
  /** Resolves if the client returns data. Throws a `Deviation` if its models reject the response. */
  readonly run: (service: Service) => Promise<unknown>;
}

/** A check of a rule, an assumption or an operation. */
export type Check = RuleCheck | AssumptionCheck | OperationCheck;

/** Describes the check of a rule, which `docs/rules.md` lists. */
export function rule(id: string, needs: Needs, run: RuleCheck["run"]): RuleCheck {
  const [section, title] = entryOf(id);
  return { kind: "rule", id, section, title, ...needs, run };
}

/** Describes the check of an assumption: of the setting `name`, which has a default. */
export function assumption(
  id: string,
  name: string,
  byDefault: Json,
  needs: Needs,
  run: AssumptionCheck["run"],
): AssumptionCheck {
  return { kind: "assumption", id, section: entryOf(id)[0], name, default: byDefault, ...needs, run };
}

/** Returns the section and the text of a rule or an assumption. */
export function entryOf(id: string): readonly [section: string, title: string] {
  return RULES[id] ?? ["", ""];
}

/** A rule or an assumption that no request can show, and why. */
export type Unobservable = (
  | Pick<RuleCheck, "kind" | "id" | "section" | "title">
  | Pick<AssumptionCheck, "kind" | "id" | "section" | "name">
) & {
  readonly reason: string;
};
