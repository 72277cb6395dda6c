import { InvalidInputError } from "../errors/index.ts";
import { own } from "./own.ts";

/** What the URL parser would take away or turn into a slash: spaces, control characters, backslashes. */
const UNSAFE = /[\s\p{Cc}\\]/u;
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/** Fills the parameters into an operation's path. */
export function fillPath(template: string, values: unknown, operation: string): string {
  const given = own<Record<string, unknown>>({ ...(values as object) });
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeParameter(name, given[name], operation));
}

/** Refuses the values that would change which path is asked for: the URL parser swallows an empty one, `.` and `..`. */
function encodeParameter(name: string, value: unknown, operation: string): string {
  const path = `path.${name}`;
  if (typeof value !== "string" || value === "") {
    throw new InvalidInputError(path, "must be a string that is not empty", { operation });
  }
  if (value === "." || value === "..") throw new InvalidInputError(path, `must not be "${value}"`, { operation });
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new InvalidInputError(path, "is not well-formed Unicode", { operation, cause });
  }
}

/** Refuses a path that would leave the base address, and with it take the token elsewhere. */
export function checkPath(value: unknown, operation: string): string {
  const problem = typeof value === "string" ? pathProblem(value) : "must be a string";
  if (problem === undefined) return value as string;
  throw new InvalidInputError("path", problem, { operation });
}

function pathProblem(path: string): string | undefined {
  if (!path.startsWith("/")) return 'must start with "/": the base address comes from the client';
  if (path.startsWith("//")) return 'must not start with "//", which would name another host';
  if (UNSAFE.test(path)) return "holds a space, a control character or a backslash; encode it";
  if (path.includes("#")) return 'must not hold a fragment; encode "#" as %23';
  const [segments = ""] = path.split("?", 1);
  return segments.split("/").some((segment) => DOT_SEGMENT.test(segment))
    ? 'must hold no "." or ".." segment'
    : undefined;
}

/** Writes query parameters behind a path. What is undefined is left out, an array repeats the name. */
export function appendQuery(path: string, query: unknown, operation: string): string {
  if (query === undefined) return path;
  if (typeof query !== "object" || query === null)
    throw new InvalidInputError("query", "must be an object", { operation });
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
  throw new InvalidInputError(`query.${name}`, "must be a string, a finite number, a boolean or an array of them", {
    operation,
  });
}
