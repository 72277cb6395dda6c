import type { SecuritySchemeName } from "../../src/contract/index.ts";
import type { OperationId } from "../generated/names.ts";

/** A request and its response, without credentials. */
export interface RecordedRequest {
  /** The request's number, starting at 1 when the mock is created. */
  readonly id: number;
  /** The time at which the request arrived. */
  readonly at: string;
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  /**
   * The query, without the question mark, and with `[redacted]` for each parameter named like the headers left out, or with a
   * webhook secret or a URL with a user name as its value.
   */
  readonly query: string;
  /** The operation's identifier; null if the request did not match one. */
  readonly operation: string | null;
  /** The `Service-Version` of the request; null if it had none. */
  readonly versionAsked: string | null;
  /** The version that processed the request; null if none did. */
  readonly versionUsed: string | null;
  /** The kind of credential; null if none was accepted. */
  readonly credential: SecuritySchemeName | null;
  /**
   * The headers of the request, with lower-case names. Headers whose name includes `authorization`, `cookie`, `token`,
   * `secret`, `password`, `passwd`, `credential`, `signature` or `api-key` (`api_key`) are left out.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** The status of the response; null if a fault left the request without one. */
  readonly status: number | null;
  /** The time that the mock worked on the response, in milliseconds, without a fault's `delay`. */
  readonly duration: number;
  /**
   * The request body: parsed JSON, otherwise text. Null if there was none, or if it was not read because the request had no
   * valid token. Of a body with more than 1,048,576 characters, only their number is kept, as text. A `secret`, a string
   * that begins with `whsec_`, and the user name and password of a URL are replaced with `[redacted]`.
   */
  readonly body: unknown;
  /** The response body, in the same form; null if it was empty. */
  readonly responseBody: unknown;
  /**
   * The headers that the mock set on the response, in the same form as `headers`. Empty if a fault left the request without a
   * response.
   */
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** The id of the fault that failed the request; null if none did. */
  readonly fault: string | null;
  /**
   * Fields of the query and the body that the service ignored because it does not know them, such as
   * `body.events[].external_Id` or `query.pages`: at most 20. Empty if the request was rejected because of its fields.
   */
  readonly ignored: readonly string[];
}

/** A filter for requests. A request must match every field. */
export interface RequestFilter<Operation extends string = OperationId> {
  readonly operation?: Operation | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly version?: string | undefined;
}

/** The requests to a mock: the newest thousand, oldest first. */
export interface Requests<Operation extends string = OperationId> {
  /** Number of requests since the last reset, including those that were deleted to save memory. */
  readonly count: number;
  /**
   * Returns the requests that match a filter, or all requests.
   *
   * @throws TypeError for an unknown or invalid field, and for an unknown operation.
   */
  list(filter?: RequestFilter<Operation>): readonly RecordedRequest[];
  /**
   * Returns the requests to an operation: `mock.requests.to("events:ingest")`.
   *
   * @throws TypeError for an unknown operation.
   */
  to(operation: Operation): readonly RecordedRequest[];
  /** Returns the newest request that matches a filter; undefined if none does. */
  last(filter?: RequestFilter<Operation>): RecordedRequest | undefined;
  /** Removes every request. */
  clear(): void;
}
