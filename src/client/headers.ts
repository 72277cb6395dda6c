import { InvalidInputError } from "../errors/index.ts";
import { PACKAGE_VERSION } from "./package-version.ts";

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const CONNECTION = "is set by the connection and cannot be given";

/** The headers that cannot be given, in lower case, each with what to do instead. */
const OWNED = new Map([
  ["service-version", "comes from the import path; import another version to change it"],
  ["authorization", "comes from accessToken; give another accessToken to change it"],
  ["accept", "is always application/json and cannot be given"],
  ["content-type", "is always application/json and cannot be given"],
  ["connection", CONNECTION],
  ["content-length", CONNECTION],
  ["expect", CONNECTION],
  ["host", CONNECTION],
  ["keep-alive", CONNECTION],
  ["transfer-encoding", CONNECTION],
  ["upgrade", CONNECTION],
]);

/** Refuses headers that are owned by the client or that would inject. Gives them back with names in lower case. */
export function checkHeaders(value: unknown, operation?: string): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null || Symbol.iterator in value) {
    throw new InvalidInputError("headers", "must be an object of names and values", { operation });
  }
  return Object.fromEntries(Object.entries(value).map(([name, text]) => checkHeader(name, text, operation)));
}

/** Refuses what a hook did to headers that the client owns. */
export function checkHookHeaders(headers: Headers, operation: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].map(([name, text]) => checkHeader(name, text, operation)));
}

function checkHeader(name: string, value: unknown, operation: string | undefined): [string, string] {
  const problem = OWNED.get(name.toLowerCase()) ?? problemOf(name, value);
  if (problem === undefined) return [name.toLowerCase(), value as string];
  throw new InvalidInputError(`headers[${JSON.stringify(name)}]`, problem, { operation });
}

function problemOf(name: string, value: unknown): string | undefined {
  if (!NAME.test(name)) return "is no header name";
  if (typeof value !== "string") return "must have a string as its value";
  if (/[\r\n\0]/.test(value)) return "must not hold a line break or a NUL";
  return VALUE.test(value) ? undefined : "holds a character that a header cannot carry";
}

/**
 * Returns the header by which the client introduces itself (RFC 9110, section 10.1.5). Browsers are left out: some drop
 * the header, and others would ask the service for permission first (CORS).
 */
export function userAgent(): Readonly<Record<string, string>> {
  return isBrowser() ? {} : { "user-agent": `billing-service-sdk/${PACKAGE_VERSION}` };
}

/** Every browser calls itself Mozilla, in its workers too; Node, Deno, Bun and edge runtimes have names of their own. */
function isBrowser(): boolean {
  return globalThis.navigator?.userAgent?.startsWith("Mozilla/") ?? false;
}
