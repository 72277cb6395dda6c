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

/** The data that the build passes to the page. */
export interface PlaygroundData {
  /** The versions, Current first. */
  readonly versions: readonly SampleVersion[];
  /** The version that the first release in the mock creates. */
  readonly created: string;
  /** The id of the webhook endpoint that exists in the mock. */
  readonly endpointId: string;
}

/** Finds a version; a version that a release has created has the examples of the newest one. */
export function sampleVersion({ versions }: PlaygroundData, name: string): SampleVersion {
  const newest = versions.reduce((one, other) => (one.name > other.name ? one : other));
  const otherwise = name > newest.name ? newest : (versions[0] as SampleVersion);
  return versions.find((version) => version.name === name) ?? otherwise;
}
