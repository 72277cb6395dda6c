import { globSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Operation } from "../../../src/contract/index.ts";
import { ROOT } from "../../paths.ts";

/** A part of a request: `["path", "id"]`, `["body", "events"]`, or `["query"]`. */
export type Place = readonly string[];

/** A method of a client with the operation that it calls: `billing.webhooks.getEndpoint`. */
export interface BoundOperation {
  readonly resource: string;
  readonly method: string;
  readonly operation: Operation;
  /** The part of the request that each argument becomes. The last argument, options, is not among them. */
  readonly parameters: readonly Place[];
}

type Binder = (send: unknown) => Readonly<Record<string, (...args: unknown[]) => unknown>>;

/** More arguments than any method has. */
const MARKS = Array.from({ length: 6 }, (_, index) => ({ argument: index }));

/** Lists the methods of the client of a version, by calling each with a `send` that records its operation. */
export async function boundOperations(version: string): Promise<readonly BoundOperation[]> {
  const files = globSync(`versions/${version}/*.ts`, { cwd: ROOT });
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(ROOT + file).href)));
  const { createClient, ...exported } = Object.assign({}, ...modules);
  const members = Object.entries(createClient({ accessToken: "unused", logLevel: "off" }));
  const resources = members.filter(([, member]) => typeof member === "object").map(([name]) => name);
  return resources.flatMap((resource) => methodsOf(resource, exported[resource]));
}

function methodsOf(resource: string, bind: Binder): readonly BoundOperation[] {
  let sent = {} as { readonly operation: Operation; readonly request: object };
  const methods = bind((operation: Operation, request: object) => {
    sent = { operation, request };
    return { withResponse: () => new Promise(() => {}) };
  });
  return Object.entries(methods).map(([method, call]) => {
    call(...MARKS);
    return { resource, method, operation: sent.operation, parameters: placesIn(sent.request) };
  });
}

/** Returns the part of a request that each argument becomes: a whole part, or a field of one. */
function placesIn(request: object): readonly Place[] {
  const parts = Object.entries(request).flatMap(([part, value]) => [
    [[part], value] as const,
    ...Object.entries(value).map(([name, inner]) => [[part, name], inner] as const),
  ]);
  return MARKS.flatMap((mark) => parts.filter(([, value]) => value === mark).map(([place]) => place));
}
