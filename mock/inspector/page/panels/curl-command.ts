import type { RecordedRequest } from "../../../journal/journal.ts";

/**
 * A command that sends a request again. The token is never in it: where one was accepted, the variable `BILLING_TOKEN` of
 * the shell stands in its place.
 */
export function curlCommand(request: RecordedRequest, origin: string): string {
  const { method, path, query, versionAsked, credential, body } = request;
  const parts = [`curl --globoff -X ${method} ${quoted(origin + path + (query === "" ? "" : `?${query}`))}`];
  if (credential !== null) parts.push('-H "Authorization: Bearer $BILLING_TOKEN"');
  if (versionAsked !== null) parts.push(`-H ${quoted(`Service-Version: ${versionAsked}`)}`);
  if (body !== null) parts.push("-H 'Content-Type: application/json'", `--data-raw ${quoted(textOf(body))}`);
  return parts.join(" \\\n  ");
}

function textOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** A text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
