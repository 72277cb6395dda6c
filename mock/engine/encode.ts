import type { Schema } from "../../src/contract/index.ts";
import type { Reply } from "./exchange.ts";

const encoded = new WeakMap<object, { readonly schema: Schema; readonly json: string }>();

/**
 * Writes a canonical record in the shape of a version: the fields that its schema names, and no others. Records are
 * never changed in place, so the last text of each is kept.
 */
export function cut(record: object, schema: Schema): string {
  const kept = encoded.get(record);
  if (kept?.schema === schema) return kept.json;
  const json = JSON.stringify(schema.parse(record));
  encoded.set(record, { schema, json });
  return json;
}

/** An answer as it leaves, before a door turns it into its own kind of response. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; undefined when it is empty. */
  readonly json: string | undefined;
}

/**
 * Makes the answer of a reply. Every answer that a version processed names that version.
 *
 * @throws TypeError when a header cannot be sent.
 */
export function answerOf(
  status: number,
  json: string | undefined,
  version: string | undefined,
  given: Reply["headers"],
): Answer {
  const headers: Record<string, string> = { ...given };
  for (const name in given) requireHeaderValue(name, given[name] as string);
  if (version !== undefined) headers["Service-Version"] = version;
  if (json !== undefined) headers["Content-Type"] = "application/json";
  return { status, headers, json };
}

/** Throws where neither a socket nor a `Response` would take the value of a header (RFC 9110, section 5.5). */
function requireHeaderValue(name: string, value: string): void {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return;
  throw new TypeError(`The header ${name} cannot hold ${JSON.stringify(value)}.`);
}

/** The statuses whose answers have no body (Fetch standard, "null body status"). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The answer as a `Response`. */
export function responseOf({ status, headers, json }: Answer): Response {
  return new Response(json === undefined || WITHOUT_BODY.has(status) ? null : json, { status, headers });
}
