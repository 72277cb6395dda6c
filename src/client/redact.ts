import { isError } from "../values/describe.ts";

/** Prefix of the secrets of webhook endpoints (G-WHE-SECRET). */
export const SECRET_PREFIX = "whsec_";

/** A shorter token is kept: it could match ordinary words. */
const SHORTEST = 8;
/** The number of characters of a token that are matched exactly: a longer pattern overflows V8's stack. */
const EXACT = 100;
const DEEPEST = 5;

/**
 * Replaces tokens and every webhook secret in a string, exact or with the escapes of JSON (`\/`, `\u002f`) or of a URL (`%2F`).
 * JSON stays JSON, because no match contains a quotation mark or a part of an escape.
 */
export function redact(text: string, tokens: readonly string[]): string {
  return text.replace(patternOf(tokens), (found) =>
    found.startsWith(SECRET_PREFIX) ? "[webhook secret]" : "[access token]",
  );
}

function patternOf(tokens: readonly string[]): RegExp {
  // A token may begin with a shorter one.
  const long = tokens.filter((token) => token.length >= SHORTEST).sort((a, b) => b.length - a.length);
  return new RegExp([...long.map(formsOfToken), `${SECRET_PREFIX}(?:[\\w+/=%-]|\\\\[/u])+`].join("|"), "gi");
}

/** Matches a token; of a long one, the first characters and everything up to the next space or quotation mark. */
function formsOfToken(token: string): string {
  const first = Array.from(token.slice(0, EXACT), formsOf).join("");
  return token.length > EXACT ? `${first}[^\\s"]*` : first;
}

function formsOf(character: string): string {
  if (/\w/.test(character)) return character;
  const hex = character.charCodeAt(0).toString(16);
  return `(?:\\\\?\\${character}|\\\\u00${hex}|%${hex})`;
}

/**
 * Returns an error that is safe to print. An error that contains the token or any other object (for example the Request) is
 * replaced by a copy of its name, message, code, stack and causes. Any other value becomes an Error.
 */
export function sanitizeError(error: unknown, tokens: readonly string[]): Error {
  try {
    if (!isError(error)) return new Error(redact(String(error), tokens));
    return isClean(error, tokens) ? error : copy(error, tokens);
  } catch {
    return new Error(`an unreadable value of type ${typeof error}`);
  }
}

/** Whether a value consists of text without a secret, of other primitive values, and of errors and lists of these. */
function isClean(value: unknown, tokens: readonly string[], depth = 0): boolean {
  if (typeof value === "string") return redact(value, tokens) === value;
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  if (depth > DEEPEST || !(isError(value) || Array.isArray(value))) return false;
  const fields = value as unknown as Readonly<Record<PropertyKey, unknown>>;
  return Reflect.ownKeys(value)
    .concat("message")
    .every((key) => isClean(fields[key], tokens, depth + 1));
}

function copy(error: Error, tokens: readonly string[], depth = 0): Error {
  const { cause, code } = error as Error & { readonly code?: unknown };
  const clean = new Error(redact(String(error.message), tokens));
  clean.name = redact(String(error.name), tokens);
  clean.stack = redact(String(error.stack ?? ""), tokens);
  if (typeof code === "string") Object.assign(clean, { code: redact(code, tokens) });
  if (isError(cause) && depth < DEEPEST) clean.cause = copy(cause, tokens, depth + 1);
  return clean;
}
