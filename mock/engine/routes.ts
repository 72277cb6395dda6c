import { RegExpRouter } from "hono/router/reg-exp-router";
import type { Contract, Operation } from "../../src/contract/index.ts";
import { type BodyCheck, bodyCheck } from "../validation/body-check.ts";
import { type QueryReader, queryReader } from "./query-reader.ts";

/** An operation that can be reached, prepared once for each contract. */
export interface Route {
  readonly operation: Operation;
  readonly readQuery: QueryReader;
  /** The check of the body; undefined where there is none. */
  readonly body: BodyCheck | undefined;
}

/** A route with the path's parameters as sent. */
export interface Match {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The operations of a contract, by method and path. */
export interface Routes {
  find(method: string, path: string): Match | undefined;
  /** The routes of every method that a path has. */
  at(path: string): readonly Route[];
}

const prepared = new WeakMap<Contract, Routes>();

/** The routes of a contract. */
export function routesOf(contract: Contract): Routes {
  let routes = prepared.get(contract);
  if (!routes) {
    routes = prepare(contract);
    prepared.set(contract, routes);
  }
  return routes;
}

function prepare(contract: Contract): Routes {
  const router = new RegExpRouter<Route>();
  const methods = new Set<string>();
  for (const operation of contract.operations) {
    methods.add(operation.method);
    router.add(operation.method, operation.path.replaceAll(/\{(\w+)\}/g, ":$1"), {
      operation,
      readQuery: queryReader(operation.request.query),
      body: operation.request.body && bodyCheck(operation.request.body),
    });
  }
  const find = (method: string, path: string): Match | undefined => {
    const [handlers, stash] = router.match(method, path) as Found;
    const first = handlers[0];
    return first && { route: first[0], parameters: readParameters(first[1], stash) };
  };
  return { find, at: (path) => [...methods].flatMap((method) => find(method, path)?.route ?? []) };
}

type Found = [[Route, Record<string, number | string>][], string[] | undefined];

function readParameters(indexes: Record<string, number | string>, stash: string[] = []): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const name in indexes) {
    const place = indexes[name];
    parameters[name] = decode(typeof place === "number" ? (stash[place] ?? "") : (place ?? ""));
  }
  return parameters;
}

function decode(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
