import { InvalidInputError } from "../errors/index.ts";
import { lossIn } from "./lossless.ts";

/**
 * Writes a body as JSON; undefined stays undefined.
 *
 * @throws {@link InvalidInputError} when JSON cannot express the value, or would express a part of it as null.
 */
export function serialize(value: unknown, method: string, operation: string): string | undefined {
  if (value === undefined) return undefined;
  if (method === "GET") throw new InvalidInputError("body", "cannot be sent with GET", { operation });
  const json = stringify(value, operation);
  if (json === undefined)
    throw new InvalidInputError("body", `is a ${typeof value}, which JSON cannot express`, { operation });
  if (json.includes("null")) requireLossless(value, operation);
  return json;
}

function stringify(value: unknown, operation: string): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new InvalidInputError("body", "cannot be written as JSON; see the cause", { operation, cause });
  }
}

function requireLossless(value: unknown, operation: string): void {
  const loss = lossIn(value);
  if (loss !== undefined) throw new InvalidInputError(`body${loss.path}`, loss.problem, { operation });
}
