/** The parts of the playground, one per tab. */
export const PANELS = ["request", "code", "webhook"] as const;
/** The kinds of access tokens. */
export const CREDENTIALS = ["oat", "pat", "oidc"] as const;
/** The methods of a request. */
export const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE"] as const;
/** The maximum length of a link, in characters. */
export const MAX_LINK = 16_000;

export type Panel = (typeof PANELS)[number];
export type Credential = (typeof CREDENTIALS)[number];

/** Everything that a reader can edit in the playground, and that a link shares. */
export interface PlaygroundContent {
  readonly panel: Panel;
  /** The API version; empty for a request without `Service-Version`. */
  readonly version: string;
  readonly credential: Credential;
  /** The scopes of the token. */
  readonly scopes: "all" | readonly string[];
  readonly method: string;
  readonly path: string;
  /** The query without its question mark. */
  readonly query: string;
  /** One header per line. */
  readonly headers: string;
  readonly body: string;
  /** A program in JavaScript. */
  readonly code: string;
  /** The type of the webhook event. */
  readonly event: string;
  /** The data of the webhook event, as JSON. */
  readonly data: string;
}
