/** The place of a value in a request, for example `["body", "events", 0, "name"]`. */
export type Loc = readonly (string | number)[];

/** One problem in a request, as a 422 reports it (specification, section 2.5). */
export interface Problem {
  readonly loc: Loc;
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** A problem without its place and value. */
export type ProblemText = Pick<Problem, "msg" | "type" | "ctx">;
