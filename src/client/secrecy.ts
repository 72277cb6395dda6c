const SHORTEST = 8;
const LABEL = "[access token]";

/** Takes the token out of a text. A token of fewer than 8 characters is left: it would hit ordinary words. */
export function redact(text: string, token: string): string {
  return token.length < SHORTEST ? text : text.replaceAll(token, LABEL);
}

/**
 * Gives an error that can be printed with everything in it. An error that carries more than plain facts, for example the
 * Request, or that repeats the token, is replaced by a copy of its name, message, code, stack and causes.
 */
export function harmless(error: unknown, token: string): unknown {
  if (isPlain(error, token, new Set())) return error;
  return error instanceof Error ? copy(error, token) : new Error(redact(String(error), token));
}

function isPlain(value: unknown, token: string, seen: Set<object>): boolean {
  if (typeof value === "string") return redact(value, token) === value;
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  if (seen.has(value)) return true;
  seen.add(value);
  if (!(value instanceof Error) && !isPlainObject(value)) return false;
  return Reflect.ownKeys(value).every((key) => isPlain((value as Record<PropertyKey, unknown>)[key], token, seen));
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function copy(error: Error, token: string, depth = 0): Error {
  const { cause } = error;
  const clean = new Error(redact(error.message, token));
  clean.name = error.name;
  clean.stack = redact(error.stack ?? "", token);
  const { code } = error as { code?: unknown };
  if (typeof code === "string") Object.assign(clean, { code: redact(code, token) });
  if (cause instanceof Error && depth < 5) clean.cause = copy(cause, token, depth + 1);
  return clean;
}
