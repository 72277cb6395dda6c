import { TrieRouter } from "hono/router/trie-router";
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

function prepare(contract: Contract): Routes {
  const router = new TrieRouter<Route>();
  const methods = new Set<string>();
  // The router returns the operation that was added first; a fixed path comes before one with parameters.
  for (const operation of contract.operations.toSorted((a, b) => parametersIn(a) - parametersIn(b))) {
    methods.add(operation.method);
    router.add(operation.method, operation.path.replaceAll(PARAMETER, ":$1"), routeOf(operation));
  }
  const find = (method: string, path: string): Match | undefined => {
    const [first] = router.match(method, path)[0] as Found;
    return first && { route: first[0], parameters: Object.freeze(decodeAll(first[1])) };
  };
  return { find: withMemory(find), at: (path) => [...methods].flatMap((method) => find(method, path)?.route ?? []) };
}

const PARAMETER = /\{(\w+)\}/g;

function parametersIn({ path }: Operation): number {
  return path.match(PARAMETER)?.length ?? 0;
}

/** The number of paths per method whose matches are kept, and the maximum length of such a path. */
const MAX_KEPT = 1000;
const MAX_LENGTH = 200;

/** Keeps the matches of the first paths, because most requests repeat a few paths. */
function withMemory(find: Routes["find"]): Routes["find"] {
  const kept = new Map<string, Map<string, Match>>();
  return (method, path) => {
    const paths = kept.get(method) ?? new Map<string, Match>();
    const known = paths.get(path);
    if (known || paths.size === MAX_KEPT || path.length > MAX_LENGTH) return known ?? find(method, path);
    // A copy, because a part of a URL keeps the whole URL in memory.
    const copy: string = JSON.parse(JSON.stringify(path));
    const match = find(method, copy);
    if (match) kept.set(method, paths.set(copy, match));
    return match;
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

type Found = readonly [Route, Readonly<Record<string, string>>][];

function decodeAll(parameters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, decode(value)]));
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
