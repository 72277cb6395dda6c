import type { Contract, Operation, Schema } from "../../src/contract/index.ts";
import { decodeSegment } from "../http/messages.ts";
import type { Match, Route } from "../operations/operation.ts";
import { bodySchemaOf, validate } from "../validation/body-schema.ts";

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
  // A fixed path comes before a parameter in its place.
  const routes = operations
    .toSorted((a, b) => namesIn(a).length - namesIn(b).length)
    .map((operation) => ({ route: routeOf(operation), match: matcher(operation) }));
  const find = (method: string, path: string): Match | undefined => {
    for (const { route, match } of routes) {
      const parameters = route.operation.method === method ? match(path) : undefined;
      if (parameters) return { route, parameters };
    }
    return undefined;
  };
  const methods = [...new Set(operations.map(({ method }) => method))];
  return { find, at: (path) => methods.flatMap((method) => find(method, path)?.route ?? []) };
}

function namesIn({ path }: Operation): string[] {
  return Array.from(path.matchAll(PARAMETER), ([, name]) => name as string);
}

/** Returns a function that reads the parameters of a path, each of which is one segment; undefined for another path. */
function matcher(operation: Operation): (path: string) => Match["parameters"] | null | undefined {
  const names = namesIn(operation);
  const escaped = operation.path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
  const pattern = new RegExp(`^${escaped.replaceAll(PARAMETER, "([^/]+)")}$`);
  return (path) => {
    const values = pattern.exec(path);
    return values && Object.fromEntries(names.map((name, index) => [name, decodeSegment(values[index + 1] as string)]));
  };
}

function routeOf(operation: Operation): Route {
  const { body, query } = operation.request;
  return { operation, readQuery: (search) => readQuery(query, search), body: body && bodySchemaOf(body) };
}

/** The codes of zod's issues with a string whose type is right. `custom` is the code of a `refine`. */
const STRING_ISSUES: ReadonlySet<string> = new Set(["invalid_format", "too_small", "too_big", "custom"]);

/** Parses a query string. Values that look like numbers become numbers where the schema rejects them as strings. */
function readQuery(schema: Schema | undefined, search: string): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.fromEntries(new URLSearchParams(search));
  const { issues = [] } = schema && search !== "" ? validate(schema, { ...fields }) : {};
  for (const { code, path } of issues) {
    if (STRING_ISSUES.has(code)) continue;
    const name = String(path[0]);
    if (/^-?\d+(\.\d+)?$/.test(String(fields[name]))) fields[name] = Number(fields[name]);
  }
  return fields;
}
