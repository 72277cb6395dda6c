import { formatPath } from "../../src/values/describe.ts";
import { writeJson } from "../../src/values/json.ts";

/**
 * Writes a value as JSON. Fields that are undefined are left out, and dates become strings.
 *
 * @param place Where the value stands, for messages.
 * @throws TypeError when JSON has no form for the value, or would replace or leave out a part of it.
 */
export function toJson(value: unknown, place: string): string {
  const { json, loss } = writeJson(value);
  if (loss === undefined) return json;
  const path = formatPath(loss.path);
  const where = path === "" ? place : `${place}: \`${path}\``;
  throw new TypeError(`${where} ${loss.problem}.`, loss.options);
}
