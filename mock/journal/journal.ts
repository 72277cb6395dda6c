import type { SecuritySchemeName } from "../../src/contract/index.ts";
import type { OperationName } from "../generated/names.ts";

/** A request that the mock has answered. It never holds a credential. */
export interface RecordedRequest {
  /** Counts from 1 over the life of the mock. */
  readonly id: number;
  /** When it arrived. */
  readonly at: string;
  readonly method: string;
  /** The path below the base address. */
  readonly path: string;
  /** The query, without its question mark. */
  readonly query: string;
  /** The operation's identifier; null where no operation was reached. */
  readonly operation: string | null;
  /** The `Service-Version` asked for; null when none was. */
  readonly versionAsked: string | null;
  /** The version that processed the request; null when none did. */
  readonly versionUsed: string | null;
  /** The kind of credential; null when none was accepted. */
  readonly credential: SecuritySchemeName | null;
  /**
   * The headers that were sent, by their lower-case names; those that carry credentials are left out (`authorization`,
   * `cookie`, whatever is named after a token, a secret or a key), and what exceeds 16,384 characters.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** The status; null when a fault left the request without an answer. */
  readonly status: number | null;
  /** How long the answer took, in milliseconds. */
  readonly duration: number;
  /** The body that was sent: parsed JSON, else text; null when there was none. */
  readonly body: unknown;
  /** The body of the answer; null when it was empty. */
  readonly answer: unknown;
  /** The fault that struck; null when none did. */
  readonly fault: string | null;
}

/** What to look for; a request has to fit every field that is given. */
export interface RequestFilter {
  readonly operation?: OperationName | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly version?: string | undefined;
}

/** The requests that the mock has answered: the newest thousand, oldest first. */
export interface Requests {
  /** How many requests were answered since the last reset; also those that are kept no longer. */
  readonly count: number;
  /**
   * The requests that fit; all that are kept when nothing is given.
   *
   * @throws TypeError when a field cannot be looked for, or when there is no such operation.
   */
  list(filter?: RequestFilter): readonly RecordedRequest[];
  /**
   * The requests to an operation, by its identifier: `mock.requests.to("events:ingest")`.
   *
   * @throws TypeError when there is no such operation.
   */
  to(operation: OperationName): readonly RecordedRequest[];
  /** The newest request that fits; undefined when none does. */
  last(filter?: RequestFilter): RecordedRequest | undefined;
  /** Forgets every request. */
  clear(): void;
}
