import { describeType } from "../errors/describe-value.ts";
import { InvalidInputError } from "../errors/index.ts";
import type { AccessToken } from "./options.ts";

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const IS_RESERVED =
  "is set by the client or the connection; for another token, pass accessToken, and for another version, import it";

/** Headers that the client or the connection sets, in lower case. */
const RESERVED = [
  "service-version",
  "authorization",
  "accept",
  "content-type",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
];

/**
 * Checks the caller's headers and returns them with lower-case names.
 *
 * @throws {@link InvalidInputError} for a reserved or malformed header. The message never contains a value.
 */
export function checkHeaders(value: unknown, operation?: string): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null || Symbol.iterator in value) {
    throw new InvalidInputError("headers", "must be an object with names and values", { operation });
  }
  return Object.fromEntries(Object.entries(value).map(([name, text]) => checkHeader(name, text, operation)));
}

/** Checks the headers that a hook has changed and returns them with lower-case names. */
export function checkHookHeaders(headers: Headers, operation: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].map(([name, text]) => checkHeader(name, text, operation)));
}

function checkHeader(name: string, value: unknown, operation: string | undefined): [string, string] {
  const problem = headerProblem(name, value);
  if (problem === undefined) return [name.toLowerCase(), value as string];
  throw new InvalidInputError(`headers[${JSON.stringify(name)}]`, problem, { operation });
}

function headerProblem(name: string, value: unknown): string | undefined {
  if (RESERVED.includes(name.toLowerCase())) return IS_RESERVED;
  if (!HEADER_NAME.test(name)) return "is not a valid header name";
  if (typeof value !== "string") return "must be a string";
  return HEADER_VALUE.test(value)
    ? undefined
    : "contains a character that is not allowed in a header, such as a line break";
}

/**
 * Checks an access token, or a function that returns one.
 *
 * @throws {@link InvalidInputError} when it is invalid. The message never contains the token.
 */
export function checkAccessToken(value: unknown, operation?: string): AccessToken {
  if (typeof value === "function") return value as AccessToken;
  if (typeof value === "string") return checkToken(value, operation);
  const hint = value === undefined ? " (is its environment variable set?)" : "";
  const problem = `must be a string or a function that returns one; received ${describeType(value)}${hint}`;
  throw new InvalidInputError("accessToken", problem, { operation });
}

/** Checks a token. */
export function checkToken(token: string, operation: string | undefined): string {
  if (VISIBLE_ASCII.test(token)) return token;
  throw new InvalidInputError("accessToken", tokenProblem(token), { operation });
}

function tokenProblem(token: string): string {
  if (/[\r\n]/.test(token)) return "must not contain a line break; trim the value";
  if (/^bearer /i.test(token)) return 'must not start with "Bearer"; pass only the token';
  return "must consist of visible ASCII characters, without spaces, and not be empty";
}
