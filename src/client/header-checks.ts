import type { Checks } from "../errors/checks.ts";
import { describeType } from "../errors/describe-value.ts";
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

/** Checks the caller's headers and returns them with lower-case names. */
export function checkHeaders(check: Checks, headers: object = {}): Readonly<Record<string, string>> {
  const isPlain = describeType(headers) === "object" && !(Symbol.iterator in headers);
  check.must(isPlain, "headers", "be an object with names and values", headers);
  return checkEntries(check, Object.entries(headers));
}

/** Checks names and values of headers and returns them with lower-case names. The error never contains a value. */
export function checkEntries(check: Checks, entries: Iterable<[string, unknown]>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from(entries, ([name, value]) => {
      const problem = headerProblem(name, value);
      if (problem) throw check.fail(`headers[${JSON.stringify(name)}]`, problem);
      return [name.toLowerCase(), value as string];
    }),
  );
}

function headerProblem(name: string, value: unknown): string | undefined {
  if (RESERVED.includes(name.toLowerCase())) return IS_RESERVED;
  if (!HEADER_NAME.test(name)) return "is not a valid header name";
  if (typeof value !== "string") return "must be a string";
  return HEADER_VALUE.test(value)
    ? undefined
    : "contains a character that is not allowed in a header, such as a line break";
}

/** Checks an access token, or a function that returns one. The error never contains the token. */
export function checkAccessToken(check: Checks, value: unknown): AccessToken {
  if (typeof value === "function") return value as AccessToken;
  const describe = () => (value === undefined ? "undefined (is its environment variable set?)" : describeType(value));
  check.must(typeof value === "string", "accessToken", "be a string or a function that returns one", value, describe);
  return checkToken(check, value as string);
}

/** Checks a token. */
export function checkToken(check: Checks, token: string): string {
  if (VISIBLE_ASCII.test(token)) return token;
  throw check.fail("accessToken", tokenProblem(token));
}

function tokenProblem(token: string): string {
  if (/[\r\n]/.test(token)) return "must not contain a line break; trim the value";
  if (/^bearer /i.test(token)) return 'must not start with "Bearer"; pass only the token';
  return "must consist of visible ASCII characters, without spaces, and not be empty";
}
