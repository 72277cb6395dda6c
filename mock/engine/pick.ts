import type { Schema } from "../../src/contract/index.ts";
import { requireValid } from "../validation/validate.ts";

const encoded = new WeakMap<object, { readonly schema: Schema; readonly json: string }>();

/**
 * Returns a canonical record as JSON, with only the fields that a version's schema defines. Records never change in
 * place, so the last JSON of each record is cached.
 *
 * @throws TypeError if the record does not match the schema.
 */
export function pick(record: object, schema: Schema): string {
  const cached = encoded.get(record);
  if (cached?.schema === schema) return cached.json;
  const json = JSON.stringify(requireValid(schema, record, "The response"));
  encoded.set(record, { schema, json });
  return json;
}
