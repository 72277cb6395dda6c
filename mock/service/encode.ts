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

/** Makes the response of a reply. Every answer that a version processed names that version. */
export function respond(
  status: number,
  json: string | undefined,
  version: string | undefined,
  headers: Reply["headers"],
): Response {
  const all: Record<string, string> = { ...headers };
  if (version !== undefined) all["Service-Version"] = version;
  if (json === undefined) return new Response(null, { status, headers: all });
  all["Content-Type"] = "application/json";
  return new Response(json, { status, headers: all });
}
