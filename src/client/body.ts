import { InvalidInputError } from "../errors/index.ts";

/** Writes a body as JSON; undefined stays undefined. */
export function serialize(value: unknown, method: string, operation: string): string | undefined {
  if (value === undefined) return undefined;
  if (method === "GET") throw new InvalidInputError("body", "cannot be sent with GET", { operation });
  const json = stringify(value, operation);
  if (json === undefined)
    throw new InvalidInputError("body", `is a ${typeof value}, which JSON cannot express`, { operation });
  return json;
}

function stringify(value: unknown, operation: string): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new InvalidInputError("body", "cannot be written as JSON; see the cause", { operation, cause });
  }
}
