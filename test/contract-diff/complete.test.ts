import { expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { diffContracts } from "../../scripts/generate/contract-diff.ts";
import { documentOf } from "../../scripts/generate/version-source.ts";

type Path = readonly string[];
type Json = Record<string, unknown>;

const document = (await documentOf(versionNames().at(-1) as string)) as unknown as Json;
const other = structuredClone(document);

/** Parts that promise nothing: prose, and what is the same in all documents. */
const PROSE = /^(description|summary|tags|x-assumption|openapi|info|servers|headers)$/;

/** The length of a list of names, such as the scopes, of which only the first two are changed. */
const LONG = 30;

/** Lists the paths of all values in a document that are part of the contract. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const all = Object.entries(value).filter(([name, each]) => !isProse(name, each, path.at(-1)));
  const inner = all.length > LONG ? all.slice(0, 2) : all;
  return [...(path.length > 0 ? [path] : []), ...inner.flatMap(([name, each]) => pathsIn(each, [...path, name]))];
}

function isProse(name: string, value: unknown, parent: string | undefined): boolean {
  if (parent === "properties") return false;
  const isShared = parent === "components" && name === "parameters";
  const isAlwaysTrue = parent === "requestBody" && name === "required";
  const allowsAll = /^(additionalProperties|items|properties)$/.test(name) && JSON.stringify(value) === "{}";
  return PROSE.test(name) || isShared || isAlwaysTrue || allowsAll;
}

/** Whether the difference is noticed if a document is changed at a path. Undoes the change. Only simple values are replaced. */
function isNoticed(path: Path, change: (parent: Json, name: string) => void): boolean {
  const parent = path.slice(0, -1).reduce((inner, name) => inner[name] as Json, other);
  if (change === replace && typeof parent[path.at(-1) as string] === "object") return true;
  const before = structuredClone(parent);
  change(parent, path.at(-1) as string);
  try {
    return diffContracts(document as never, other as never).length > 0;
  } catch {
    // Without this part, it is not a document of a contract.
    return true;
  } finally {
    Object.assign(parent, before);
  }
}

function remove(parent: Json, name: string): void {
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  // A parameter is also optional without `required`.
  else if (parent[name] === false) parent[name] = true;
  else delete parent[name];
}

function replace(parent: Json, name: string): void {
  const value = parent[name];
  parent[name] = typeof value === "string" ? `${value}x` : typeof value === "number" ? value + 1 : !value;
}

it.each([remove, replace])("every value of the newest contract is a difference: %o", (change) => {
  const paths = pathsIn(document);
  expect(paths.length).toBeGreaterThan(500);
  expect(paths.filter((path) => !isNoticed(path, change)).map((path) => path.join("/"))).toEqual([]);
});
