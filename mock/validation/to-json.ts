import { lossIn } from "../../src/client/body.ts";
import { formatPath } from "../../src/errors/describe-value.ts";

/**
 * Writes a value as JSON. Fields that are undefined are left out, and dates become strings.
 *
 * @param place Where the value stands, for messages.
 * @throws TypeError when JSON has no form for the value, or would replace or leave out a part of it.
 */
export function toJson(value: unknown, place: string): string {
  let problem: string;
  try {
    const json = JSON.stringify(value);
    const loss = lossIn(value);
    if (loss === undefined) return json;
    const path = formatPath(loss.path);
    problem = path === "" ? ` ${loss.problem}` : `: \`${path}\` ${loss.problem}`;
  } catch (error) {
    problem = ` must be a JSON value: ${(error as Error).message.split("\n")[0]}`;
  }
  throw new TypeError(`${place}${problem}.`);
}
