import { describeType, describeValue } from "../errors/describe-value.ts";
import { InvalidInputError } from "../errors/index.ts";

/** Matches the characters that the URL parser removes or turns into slashes. */
const UNSAFE = /[\s\p{Cc}\\]/u;
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/** Inserts the parameters into an operation's path. */
export function fillPath(template: string, values: unknown, operation: string): string {
  const given = values as Readonly<Record<string, unknown>> | undefined;
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeParameter(name, given?.[name], operation));
}

/** Encodes a parameter. Rejects values that would change the path: the URL parser drops an empty one, `.` and `..`. */
function encodeParameter(name: string, value: unknown, operation: string): string {
  const path = `path.${name}`;
  if (typeof value !== "string" || value === "") {
    throw new InvalidInputError(path, `must be a non-empty string; received ${describeValue(value)}`, { operation });
  }
  if (value === "." || value === "..") throw new InvalidInputError(path, `must not be "${value}"`, { operation });
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new InvalidInputError(path, "must be well-formed Unicode", { operation, cause });
  }
}

/**
 * Checks the path of `client.request`.
 *
 * @throws {@link InvalidInputError} when the path would leave the base URL and send the token elsewhere.
 */
export function checkPath(value: unknown, operation: string): string {
  const problem = typeof value === "string" ? pathProblem(value) : "must be a string";
  if (problem === undefined) return value as string;
  throw new InvalidInputError("path", problem, { operation });
}

function pathProblem(path: string): string | undefined {
  if (!path.startsWith("/")) return 'must start with "/"; it is appended to baseUrl';
  if (path.startsWith("//")) return 'must not start with "//"';
  if (UNSAFE.test(path)) return "must not contain a space, a control character or a backslash; encode it";
  if (path.includes("#")) return 'must not contain a fragment; encode "#" as %23';
  const [segments = ""] = path.split("?", 1);
  return segments.split("/").some((segment) => DOT_SEGMENT.test(segment))
    ? 'must not contain a "." or ".." segment'
    : undefined;
}

/** Appends query parameters to a path. Undefined values are omitted; an array repeats the name. */
export function appendQuery(path: string, query: unknown, operation: string): string {
  if (query === undefined) return path;
  if (typeof query !== "object" || query === null)
    throw new InvalidInputError("query", `must be an object; received ${describeType(query)}`, { operation });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) appendParameter(search, name, value, operation);
  if (search.size === 0) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${search}`;
}

function appendParameter(search: URLSearchParams, name: string, value: unknown, operation: string): void {
  if (value === undefined) return;
  for (const item of Array.isArray(value) ? value : [value]) search.append(name, text(name, item, operation));
}

function text(name: string, value: unknown, operation: string): string {
  if (typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return String(value);
  const problem = `must be a string, a finite number, a boolean or an array of them; received ${describeValue(value)}`;
  throw new InvalidInputError(`query.${name}`, problem, { operation });
}
