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
export class NotObservable extends Error {
  /** The option without which it is not observable. */
  readonly option: string | undefined;

  constructor(reason: string, option?: string) {
    super(reason);
    this.option = option;
  }
}
