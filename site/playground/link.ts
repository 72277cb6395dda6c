import type { Credential } from "./data.ts";

/** The parts of the playground, one per tab. */
export const PANELS = ["request", "code", "webhook"] as const;
/** The maximum length of a link, in characters. */
export const MAX_LINK = 64_000;

export type Panel = (typeof PANELS)[number];

/** Everything that a reader can edit in the playground, and that a link shares. */
export interface PlaygroundContent {
  readonly panel: Panel;
  /** The number of releases that the mock has made. */
  readonly releases: string;
  /** The API version; empty for a request without `Service-Version`. */
  readonly version: string;
  /** The operation whose example was loaded last, for example `events.ingest`. */
  readonly operation: string;
  /** The preset that was loaded last; empty for none. */
  readonly preset: string;
  readonly credential: Credential;
  /** The scopes of the token, with spaces between them, or `all`. */
  readonly scopes: string;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** One header per line. */
  readonly headers: string;
  readonly body: string;
  /** A program in TypeScript. */
  readonly code: string;
  /** The type of the webhook event. */
  readonly event: string;
  /** The data of the webhook event, as JSON. */
  readonly data: string;
}

/** A link's content: the fields that differ from the playground's defaults. */
export type LinkContent = Partial<PlaygroundContent>;

/**
 * Returns the fragment of a link to the playground, without `#`. Browsers do not send a fragment to the server.
 *
 * @example
 * ```ts
 * formatLink({ panel: "code", operation: "events.ingest" }); // panel=code&operation=events.ingest
 * ```
 */
export function formatLink(content: LinkContent): string {
  const entries = Object.entries(content).map(([name, value]) => [name, PLAIN.test(value) ? value : toBase64(value)]);
  return new URLSearchParams(entries).toString();
}

/** Matches text that survives site generators, which decode parts of addresses. Other text is written as base64. */
const PLAIN = /^[\w./:?=&, -]*$/;

function toBase64(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return `~${btoa(bytes.join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Reads a value of a link; undefined if it is not base64. */
export function readValue(value: string): string | undefined {
  if (!value.startsWith("~")) return value;
  try {
    const bytes = atob(value.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
