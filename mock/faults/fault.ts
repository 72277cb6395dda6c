import type { OperationId } from "../generated/names.ts";

/** A failure of the connection or of the response body. */
export type FaultKind = "reset" | "empty-reply" | "bad-status-line" | "timeout" | "malformed" | "truncated";

/** A fault to inject: an error response (`status`), a broken connection (`kind`), or only a `delay`. */
export interface FaultInput<Operation extends string = OperationId> {
  /** The operation that fails, by its identifier. Defaults to every request. */
  readonly operation?: Operation | undefined;
  /** The status of the response, from 200 to 599. The operation does not run. */
  readonly status?: number | undefined;
  /** The body of the response with `status`: a string is sent unchanged, any other value as JSON. Empty by default. */
  readonly body?: unknown;
  /** Headers of the response with `status`. They replace `Content-Type`, `Service-Version` and `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Delay before the response, in milliseconds. Without `status` and `kind`, the operation runs before the delay, also if
   * the client then stops waiting. A request that a `delay` or a `timeout` holds when the mock is reset, restored, stopped
   * or closed never gets a response; a server and a page's worker close its connection.
   */
  readonly delay?: number | undefined;
  /** The `Retry-After` header of the response with `status`, in seconds. */
  readonly retryAfter?: number | undefined;
  /**
   * The failure. `reset` resets the connection, `empty-reply` closes it without sending anything,
   * `bad-status-line` sends something other than HTTP, `timeout` never responds, and `malformed` sends a body that is
   * not JSON; the operation does not run. `truncated` runs the operation, and closes the connection in the middle of
   * the response. The standalone server does this on its sockets; in process, `fetch` fails as it would after that.
   */
  readonly kind?: FaultKind | undefined;
  /**
   * Number of matching requests before the first failure. Defaults to 0. `{ skip: 2, times: 1 }` fails only the third
   * request. Requests that another fault fails also count.
   */
  readonly skip?: number | undefined;
  /** Maximum number of failures. Unlimited by default. */
  readonly times?: number | undefined;
  /** The probability that a matching request fails, from 0 to 1. Defaults to 1. Depends on the mock's seed. */
  readonly probability?: number | undefined;
}

/** An active fault. */
export interface Fault extends FaultInput<string> {
  readonly id: string;
  /** Number of requests that passed because of `skip`. */
  readonly skipped: number;
  /** Number of requests that failed. */
  readonly hits: number;
}

/** The active faults of a mock. */
export interface Faults {
  /** Returns the active faults, in the order in which they are tried. */
  list(): readonly Fault[];
  /** Removes a fault. Returns false if no fault has the id. */
  remove(id: string): boolean;
  /** Removes all faults. */
  clear(): void;
}
