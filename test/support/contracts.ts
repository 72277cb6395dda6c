import type { Contract, Operation, Schema } from "../../src/contract/index.ts";
import { versionNames, versions } from "./clients.ts";

type Three = [Contract, Contract, Contract];

/** The package's contracts: Deprecated, Current and Next. */
export const [deprecated, current, next] = versionNames.map((name) => versions[name].contract) as Three;

type Change = (operation: Operation) => Partial<Operation>;

/** Changes of operations, by id. */
export type Changes = Readonly<Record<string, Change>>;

/** Returns the contracts of the package, with changes to all or some operations of one and to its other fields. */
export function contractsWith(changes: Changes | Change, more: Partial<Contract> = {}, of: Contract = next) {
  const changeOf = ({ id }: Operation) => (typeof changes === "function" ? changes : changes[id]);
  const operations = of.operations.map((each): Operation => ({ ...each, ...changeOf(each)?.(each) }));
  return [deprecated, current, next].map((each) => (each === of ? { ...of, operations, ...more } : each));
}

/** Changes the schema of the response of an operation. */
export const answering =
  (body: unknown): Change =>
  ({ response }) => ({ response: { ...response, body: body as Schema } });
