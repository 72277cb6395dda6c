import type { OperationName } from "../generated/names.ts";

/** A failure that no status expresses. */
export type FaultKind = "reset" | "empty-reply" | "bad-status-line" | "timeout" | "malformed" | "truncated";

/** A failure to be had on demand. */
export interface FaultInput {
  /** The operation that fails, by its identifier; every request when left out. */
  readonly operation?: OperationName | undefined;
  /** The status to answer with, from 400 to 599; its body is empty. */
  readonly status?: number | undefined;
  /** How long to wait before the answer, in milliseconds; alone, it only slows the true answer down. */
  readonly delay?: number | undefined;
  /** Seconds for the header `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /**
   * What happens in place of an answer: `reset` breaks the connection, `empty-reply` closes it without a byte,
   * `bad-status-line` answers with what is not HTTP, `timeout` never answers, `malformed` answers with a body that is
   * no JSON: in all these the operation is not carried out. `truncated` carries it out and ends the answer in its
   * middle. On a real socket where the mock runs as a server; in process, `fetch` fails as it would after that.
   */
  readonly kind?: FaultKind | undefined;
  /**
   * How many matching requests it lets pass before the first failure; 0 by default. `{ skip: 2, times: 1 }` makes the
   * third request fail. Requests that another fault strikes count.
   */
  readonly skip?: number | undefined;
  /** After how many failures it stops; never by default. */
  readonly times?: number | undefined;
  /** How likely each matching request fails, from 0 to 1; 1 by default. The draws come from the mock's seed. */
  readonly probability?: number | undefined;
}

/** A failure that is switched on. */
export interface Fault extends FaultInput {
  readonly id: string;
  /** How many requests it has let pass because of `skip`. */
  readonly skipped: number;
  /** How often it has struck. */
  readonly struck: number;
}

/** The failures of a mock. */
export interface Faults {
  /** The failures that are switched on, in the order in which they are tried. */
  list(): readonly Fault[];
  /** Switches a failure off; false when it was not on. */
  remove(id: string): boolean;
  /** Switches all failures off. */
  clear(): void;
}
