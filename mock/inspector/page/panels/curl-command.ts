import type { RecordedRequest } from "../../../journal/requests.ts";

/**
 * Returns a curl command that repeats a request. It never contains the token: if the request had a valid one, the command
 * reads it from the shell variable `BILLING_TOKEN`.
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

/** Quotes a string as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
