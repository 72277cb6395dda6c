import type { PlaygroundContent } from "./link/content.ts";

/** The content of a link: everything that differs from what the playground shows by itself. */
export interface LinkContent extends Partial<PlaygroundContent> {
  /** The operation whose examples are shown, for example `events.ingest`. */
  readonly operation?: string;
}

/**
 * Returns the fragment of a link to the playground, without `#`. Browsers do not send a fragment to the server.
 *
 * @example
 * ```ts
 * formatLink({ panel: "request", operation: "events.ingest" }); // panel=request&operation=events.ingest
 * ```
 */
export function formatLink({ scopes, ...content }: LinkContent): string {
  const list = scopes === undefined || scopes === "all" ? scopes : scopes.join(" ");
  const entries = Object.entries({ ...content, scopes: list }).filter((entry) => entry[1] !== undefined);
  return new URLSearchParams(entries as [string, string][]).toString();
}
