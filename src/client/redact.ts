import { isError } from "../values/describe.ts";

/** Prefix of the secrets of webhook endpoints (G-WHE-SECRET). */
export const SECRET_PREFIX = "whsec_";

/** A shorter token is kept: it could match ordinary words. */
const SHORTEST = 8;
/** The number of characters of a token that are matched exactly: a longer pattern overflows V8's stack. */
const EXACT = 100;
const LABEL = "[access token]";
const SECRET_LABEL = "[webhook secret]";
const DEEPEST = 5;

let last: { readonly tokens: readonly string[]; readonly pattern: RegExp } | undefined;

/** Replaces tokens and every webhook secret in a string, exact or with the escapes of JSON (`\/`, `\u002f`) or of a URL (`%2F`). */
export function redact(text: string, tokens: readonly string[]): string {
  if (last?.tokens.length !== tokens.length || tokens.some((token, at) => token !== last?.tokens[at]))
    last = { tokens, pattern: patternOf(tokens) };
  return text.replace(last.pattern, (found) => (found.startsWith(SECRET_PREFIX) ? SECRET_LABEL : LABEL));
}

function patternOf(tokens: readonly string[]): RegExp {
  const long = tokens.filter((token) => token.length >= SHORTEST);
  // A token may begin with a shorter one.
  long.sort((a, b) => b.length - a.length);
  return new RegExp([...long.map(formsOfToken), `${SECRET_PREFIX}[\\w+/=\\\\%-]+`].join("|"), "gi");
}

/** Matches a token; of a long one, the first characters and everything up to the next space. */
function formsOfToken(token: string): string {
  const first = Array.from(token.slice(0, EXACT), formsOf).join("");
  return token.length > EXACT ? `${first}\\S*` : first;
}

function formsOf(character: string): string {
  if (/\w/.test(character)) return character;
  const hex = character.charCodeAt(0).toString(16);
  return `(?:\\\\?\\${character}|\\\\u00${hex}|%${hex})`;
}

/** Applies {@link redact} to every string and name of parsed JSON, in place. */
export function redactJson(value: unknown, tokens: readonly string[]): unknown {
  if (typeof value === "string") return redact(value, tokens);
  const open = [value];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at !== "object" || at === null) continue;
    const fields = at as Record<string, unknown>;
    for (const [name, inner] of Object.entries(fields)) {
      const clean = redact(name, tokens);
      if (clean !== name) Reflect.deleteProperty(fields, name);
      fields[clean] = typeof inner === "string" ? redact(inner, tokens) : inner;
      open.push(inner);
    }
  }
  return value;
}

/** Returns a copy of headers with {@link redact} applied to every value, without those whose name contains the token. */
export function redactHeaders(headers: Iterable<[name: string, value: string]>, tokens: readonly string[]): Headers {
  const clean = new Headers();
  for (const [name, value] of headers) if (redact(name, tokens) === name) clean.append(name, redact(value, tokens));
  return clean;
}

/**
 * Returns an error that is safe to print. An error that contains the token, or objects other than plain data (for example
 * the Request), is replaced by a copy of its name, message, code, stack and causes. Any other value becomes an Error.
 */
export function sanitizeError(error: unknown, tokens: readonly string[]): Error {
  try {
    if (!isError(error)) return new Error(redact(String(error), tokens));
    return isPlain(error, tokens, new Set()) ? error : copy(error, tokens);
  } catch {
    return new Error(`an unreadable value of type ${typeof error}`);
  }
}

function isPlain(value: unknown, tokens: readonly string[], seen: Set<object>): boolean {
  if (typeof value === "string") return redact(value, tokens) === value;
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  if (seen.has(value)) return true;
  seen.add(value);
  if (!isError(value) && !isPlainObject(value)) return false;
  const fields = value as Record<PropertyKey, unknown>;
  return Reflect.ownKeys(value)
    .concat("message")
    .every((key) => [String(key), fields[key]].every((each) => isPlain(each, tokens, seen)));
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
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
