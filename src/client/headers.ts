import { InvalidInputError } from "../errors/index.ts";
import { PACKAGE_VERSION } from "./package-version.ts";

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const CONNECTION = "is set by the connection and must not be set";

/** Reserved headers, in lower case, each with the reason or the alternative. */
const RESERVED = new Map([
  ["service-version", "is set by the client; to change it, import another version"],
  ["authorization", "is set by the client; to change it, pass another accessToken"],
  ["accept", "is always application/json and must not be set"],
  ["content-type", "is always application/json and must not be set"],
  ["connection", CONNECTION],
  ["content-length", CONNECTION],
  ["expect", CONNECTION],
  ["host", CONNECTION],
  ["keep-alive", CONNECTION],
  ["transfer-encoding", CONNECTION],
  ["upgrade", CONNECTION],
]);

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
  const problem = RESERVED.get(name.toLowerCase()) ?? problemOf(name, value);
  if (problem === undefined) return [name.toLowerCase(), value as string];
  throw new InvalidInputError(`headers[${JSON.stringify(name)}]`, problem, { operation });
}

function problemOf(name: string, value: unknown): string | undefined {
  if (!NAME.test(name)) return "is not a valid header name";
  if (typeof value !== "string") return "must be a string";
  if (/[\r\n\0]/.test(value)) return "must not contain a line break or a NUL character";
  return VALUE.test(value) ? undefined : "contains a character that is not allowed in a header";
}

/**
 * Returns the `User-Agent` header (RFC 9110, section 10.1.5). Returns nothing in browsers: some drop the header, in others
 * it would cause a CORS preflight.
 */
export function userAgent(): Readonly<Record<string, string>> {
  return isBrowser() ? {} : { "user-agent": `billing-service-sdk/${PACKAGE_VERSION}` };
}

/** Returns whether this is a browser or its worker: only their user agents start with Mozilla. */
function isBrowser(): boolean {
  return globalThis.navigator?.userAgent?.startsWith("Mozilla/") ?? false;
}
