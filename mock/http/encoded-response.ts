import type { Reply } from "./reply.ts";

/** A response as it is sent, before an adapter turns it into its own kind of response. */
export interface EncodedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; undefined when it is empty. */
  readonly json: string | undefined;
}

/**
 * Encodes a response. It names the version that processed the request.
 *
 * @throws TypeError when a header has an invalid value.
 */
export function encodeResponse(
  status: number,
  json: string | undefined,
  version: string | undefined,
  given: Reply["headers"],
): EncodedResponse {
  const headers: Record<string, string> = { ...given };
  for (const name in given) requireHeaderValue(name, given[name] as string);
  if (version !== undefined) headers["Service-Version"] = version;
  if (json !== undefined) headers["Content-Type"] = "application/json";
  return { status, headers, json };
}

/** Throws for a value that neither a socket nor a `Response` accepts (RFC 9110, section 5.5). */
function requireHeaderValue(name: string, value: string): void {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return;
  throw new TypeError(`The header ${name} has an invalid value: ${JSON.stringify(value)}.`);
}

/** The statuses whose responses have no body (Fetch standard, "null body status"). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Converts an encoded response into a `Response`. */
export function toResponse({ status, headers, json }: EncodedResponse): Response {
  return new Response(json === undefined || WITHOUT_BODY.has(status) ? null : json, { status, headers });
}
