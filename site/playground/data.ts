/** The kinds of access tokens, `expired` for one whose lifetime is over, and `none` for a request without a token. */
export const CREDENTIALS = ["oat", "pat", "oidc", "expired", "none"] as const;

export type Credential = (typeof CREDENTIALS)[number];

/** An operation that the playground offers as an example. */
export interface SampleOperation {
  /** The client call without its prefix: `events.ingest`. */
  readonly name: string;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** The body as text; empty without a body. */
  readonly body: string;
  readonly credential: Credential;
  readonly scopes: readonly string[];
  /** A program that calls it. */
  readonly code: string;
}

/** A version's data for the playground. */
export interface SampleVersion {
  readonly name: string;
  readonly operations: readonly SampleOperation[];
  readonly scopes: readonly string[];
  readonly eventTypes: readonly string[];
}
