import type { SecuritySchemeName } from "../src/contract/index.ts";
import type { Json } from "./outcome.ts";
import type { Service } from "./service.ts";

/** The needs of a check. A check whose needs are not met is not observable. */
export interface Needs {
  /** Kinds of credential; of each, one token with every scope that its requests need. */
  readonly tokens?: readonly SecuritySchemeName[];
  /** Records that the check creates or changes. */
  readonly writes?: "endpoints" | "events";
  /** A receiver of deliveries, and a function that makes the service send one. */
  readonly deliveries?: boolean;
}

interface CheckBase extends Needs {
  /** The id of a rule or an assumption. */
  readonly id: string;
  /** The section of the specification. */
  readonly section: string;
  /** The maximum number of requests, for each version. */
  readonly requests: number;
}

/** Checks a rule, once for each version. */
export interface RuleCheck extends CheckBase {
  readonly kind: "rule";
  /** The rule. */
  readonly title: string;
  /** Resolves if the rule holds. Throws a {@link Deviation} if it does not. */
  readonly run: (service: Service) => Promise<void>;
}

/** Finds the value of an assumption that the service shows. */
export interface AssumptionCheck extends CheckBase {
  readonly kind: "assumption";
  /** The setting: a field of `assumptions`, or a field of one, such as `eventName.maxLength`. */
  readonly name: string;
  /** The value by default. */
  readonly default: Json;
  /** Returns the value, and how it shows. */
  readonly run: (service: Service) => Promise<Observed>;
}

/** A value that the service shows, and how. */
export interface Observed {
  readonly value: Json;
  readonly evidence: string;
}

/** A check of a rule, or of an assumption. */
export type Check = RuleCheck | AssumptionCheck;

/** A rule or an assumption that no request can show, and why. */
export type Unobservable = (
  | Pick<RuleCheck, "kind" | "id" | "section" | "title">
  | Pick<AssumptionCheck, "kind" | "id" | "section" | "name">
) & {
  readonly reason: string;
};
