import { basename } from "node:path";
import { readFile } from "../../terminal/read-file.ts";
import { UsageError } from "../../terminal/usage-error.ts";
import type { AssumptionChoices } from "../assumptions/assumptions.ts";
import { readAssumptions } from "../assumptions/read-assumptions.ts";
import { isObject } from "../options/shape.ts";

/**
 * Reads the file of `--assumptions`: the same JSON that `createMock({ assumptions })` takes.
 *
 * @throws UsageError when the file is not valid; its message is one line that names the assumption.
 */
export function loadAssumptions(path: string): AssumptionChoices {
  try {
    const given: unknown = JSON.parse(readFile("--assumptions", path).replace(/^\uFEFF/, ""));
    if (!isObject(given)) throw new TypeError("must contain a JSON object.");
    readAssumptions(given);
    return given;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const problem = (error as Error).message.replace(/^createMock: /, "").replace("`assumptions.", "`");
    const reason = error instanceof SyntaxError ? `not valid JSON: ${problem}.` : problem;
    throw new UsageError(`--assumptions ${basename(path)}: ${reason}`.replaceAll(/\p{Cc}+/gu, " "));
  }
}
