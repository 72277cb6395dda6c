import type * as z from "zod/mini";
import type { Contract, Operation, Schema, ZodSchema } from "../../src/contract/index.ts";
import type { Route } from "../operations/operation.ts";
import { type BodyCheck, createBodyCheck } from "../validation/body-check.ts";
import { isOwnSchema, validate } from "../validation/validate.ts";

/** A route with the decoded parameters of a path. */
export interface Match {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The operations of a contract, by method and path. */
interface Routes {
  find(method: string, path: string): Match | undefined;
  /** Returns the routes of every method that a path has. */
  at(path: string): readonly Route[];
}

const prepared = new WeakMap<Contract, Routes>();

/** Returns the routes of a contract. */
export function routesOf(contract: Contract): Routes {
  let routes = prepared.get(contract);
  if (!routes) {
    routes = prepare(contract);
    prepared.set(contract, routes);
  }
  return routes;
}

const PARAMETER = /\{(\w+)\}/g;

function prepare({ operations }: Contract): Routes {
  const fixed = new Map<string, Map<string, Match>>();
  const patterns: { readonly method: string; match(path: string): Match | undefined }[] = [];
  for (const operation of operations.toSorted((a, b) => namesIn(a).length - namesIn(b).length)) {
    const { method, path } = operation;
    const names = namesIn(operation);
    const route = routeOf(operation);
    if (names.length === 0) fixed.set(path, new Map(fixed.get(path)).set(method, { route, parameters: {} }));
    else patterns.push({ method, match: matcher(route, names) });
  }
  const find = (method: string, path: string): Match | undefined => {
    const known = fixed.get(path)?.get(method);
    if (known) return known;
    for (const each of patterns) {
      const found = each.method === method ? each.match(path) : undefined;
      if (found) return found;
    }
    return undefined;
  };
  const methods = [...new Set(operations.map(({ method }) => method))];
  return { find, at: (path) => methods.flatMap((method) => find(method, path)?.route ?? []) };
}

function namesIn({ path }: Operation): string[] {
  return Array.from(path.matchAll(PARAMETER), ([, name]) => name as string);
}

/** Returns a function that matches a path with parameters, each of which is one segment. */
function matcher(route: Route, names: readonly string[]): (path: string) => Match | undefined {
  const escaped = route.operation.path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
  const pattern = new RegExp(`^${escaped.replaceAll(PARAMETER, "([^/]+)")}$`);
  return (path) => {
    const values = pattern.exec(path);
    if (!values) return undefined;
    return {
      route,
      parameters: Object.fromEntries(names.map((name, index) => [name, decode(values[index + 1] as string)])),
    };
  };
}

/** Prepares an operation. The check of its body is prepared by the first request that has one, to save startup time. */
function routeOf(operation: Operation): Route {
  const { body, query } = operation.request;
  let check: BodyCheck | undefined;
  return {
    operation,
    readQuery: createQueryReader(query),
    get body() {
      check ??= body && createBodyCheck(body);
      return check;
    },
  };
}

function decode(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Creates a function that parses a query string. Values become numbers where the schema expects numbers. */
function createQueryReader(schema: Schema | undefined): Route["readQuery"] {
  if (schema && !isOwnSchema(schema))
    return (search) => withNumbers(readFields(search), rejectedFields(schema, search));
  const numbers = new Set(schema ? numericFields(schema) : []);
  return (search) => withNumbers(readFields(search), numbers);
}

function readFields(search: string): Record<string, unknown> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Converts the given fields to numbers where they look like numbers. */
function withNumbers(fields: Record<string, unknown>, numbers: ReadonlySet<unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(fields)) {
    if (numbers.has(name) && /^-?\d+(\.\d+)?$/.test(String(value))) fields[name] = Number(value);
  }
  return fields;
}

/** Returns the fields that a schema rejects as strings: those of another library do not say where they expect numbers. */
function rejectedFields(schema: Schema, search: string): ReadonlySet<unknown> {
  const { issues = [] } = validate(schema, readFields(search));
  return new Set(issues.map(({ path }) => path[0]));
}

function numericFields(schema: ZodSchema): string[] {
  const { shape = {} } = schema as unknown as Partial<z.ZodMiniObject>;
  return Object.keys(shape).filter((name) => kindOf(shape[name] as z.ZodMiniType) === "number");
}

function kindOf(schema: z.ZodMiniType): string {
  const { def } = schema as { def: { type: string; innerType?: z.ZodMiniType } };
  return def.innerType ? kindOf(def.innerType) : def.type;
}
