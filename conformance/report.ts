/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A check's requests and responses, as a report shows them: without tokens, secrets and customer data. */
export interface Evidence {
  readonly request: string;
  readonly expected: string;
  readonly received: string;
}

/** A value that the service shows, and the responses that show it. */
export interface Observed {
  readonly value: Json;
  readonly evidence: string;
}

/** Thrown by a check: the service does not do what the rule says. */
export class Deviation extends Error {
  readonly evidence: Evidence;

  constructor(evidence: Evidence) {
    super(`${evidence.request}: expected ${evidence.expected}; received ${evidence.received}`);
    this.evidence = evidence;
  }
}

/** Thrown by a check: the service, the tokens or the options do not let it observe the rule or the assumption. */
export class NotObservable extends Error {}

/** The outcome for a rule, or for an assumption that no setting changes. */
export interface RuleRow extends Partial<Evidence> {
  readonly id: string;
  /** The rule. */
  readonly title: string;
  /** The version for which the rule does not hold or is not observable; undefined if it holds for all versions. */
  readonly version?: string;
  /**
   * Whether it holds: `partly` if a part of its sentence was not tried, `differs` if the service does something else than an
   * assumption says, `fails` if it breaks a rule.
   */
  readonly outcome: "holds" | "partly" | "differs" | "fails" | "not-observable";
  /** The reason why it is not observable, or what was not tried. */
  readonly reason?: string;
}

/** The outcome for an assumption. */
export interface AssumptionRow {
  readonly id: string;
  /** The setting: a field of `assumptions`, or a field of one, such as `eventName.maxLength`. */
  readonly name: string;
  readonly outcome: "observed" | "not-observable";
  /** The reason why it is not observable. */
  readonly reason?: string;
  /** The value that the service shows. */
  readonly value?: Json;
  /** The default of the mock. */
  readonly default?: Json;
  /** Whether the value differs from the default. */
  readonly differs?: boolean;
  /** The responses that show the value. */
  readonly evidence?: string;
}

/** The result of a run: compares a service with the rules and assumptions. It contains no tokens or secrets. */
export interface ConformanceReport {
  readonly baseUrl: string;
  /** The versions that were checked: those of the options that the service serves. */
  readonly versions: readonly string[];
  /** What is not as the options say: a version that is not served, a token that is rejected. */
  readonly notes: readonly string[];
  /** Why nothing could be checked, such as a base URL that is not the service's; undefined if something was. */
  readonly problem?: string | undefined;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** The number of requests that were sent. */
  readonly requests: number;
  /** Whether the run was aborted. */
  readonly aborted: boolean;
  /** Whether every check ran; false if the run was aborted, had no requests left, or the service stopped responding. */
  readonly complete: boolean;
  /** One row per rule. A rule fails if it fails for any version. */
  readonly rules: readonly RuleRow[];
  readonly assumptions: readonly AssumptionRow[];
  /** Ids of endpoints that the run could not disable, and names of endpoints that it may have created. */
  readonly leftEnabled: readonly string[];
  /** The assumptions that differ from the defaults: `createMock({ assumptions: report.choices })`. */
  readonly choices: { readonly [name: string]: Json };
}

/** Returns the assumptions that differ from the defaults, in the form of `createMock({ assumptions })`. */
export function choicesOf(rows: readonly AssumptionRow[]): { readonly [name: string]: Json } {
  const choices: Record<string, Json> = {};
  for (const { name, value = null, differs } of rows) {
    if (!differs) continue;
    const [setting = "", field] = name.split(".");
    choices[setting] = field === undefined ? value : { ...(choices[setting] as object), [field]: value };
  }
  return choices;
}
