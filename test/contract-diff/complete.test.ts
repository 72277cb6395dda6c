import { describe, expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { documentOf } from "../../scripts/generate/version-source.ts";
import { diffContracts } from "../../src/contract-diff/index.ts";

type Path = readonly string[];
type Json = Record<string, unknown>;

const newest = versionNames().at(-1) as string;
const document = (await documentOf(newest)) as unknown as Json;

/** Parts that promise nothing: prose, and what is the same in all documents. */
const PROSE = /^(description|summary|tags|x-assumption|openapi|info|servers|headers)$/;

/** The length of a list of names, such as the scopes, of which only the first two are changed. */
const LONG = 30;

/** Lists the paths of all values in a document that are part of the contract. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const all = Object.entries(value).filter(([name, each]) => !isProse(name, each, path));
  const inner = all.length > LONG ? all.slice(0, 2) : all;
  return [...(path.length > 0 ? [path] : []), ...inner.flatMap(([name, each]) => pathsIn(each, [...path, name]))];
}

function isProse(name: string, value: unknown, path: Path): boolean {
  const parent = path.at(-1);
  if (parent === "properties") return false;
  const isShared = parent === "components" && name === "parameters";
  const isAlwaysTrue = parent === "requestBody" && name === "required";
  const allowsAll = /^(additionalProperties|items|properties)$/.test(name) && JSON.stringify(value) === "{}";
  return PROSE.test(name) || isShared || isAlwaysTrue || allowsAll;
}

function valueAt(path: Path, root: Json = document): Json {
  return path.reduce<Json>((inner, name) => inner[name] as Json, root);
}

const other = structuredClone(document);

/** Whether the difference is noticed if a document is changed at a path. Undoes the change. */
function isNoticed(path: Path, change: (parent: Json, name: string) => void): boolean {
  const parent = valueAt(path.slice(0, -1), other);
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
  else delete parent[name];
}

function replace(parent: Json, name: string): void {
  const value = parent[name];
  if (typeof value === "string") parent[name] = `${value}x`;
  if (typeof value === "number") parent[name] = value + 1;
  if (typeof value === "boolean") parent[name] = !value;
}

/** The paths of values whose change is not noticed. */
function unnoticed(paths: readonly Path[], change: (parent: Json, name: string) => void): string[] {
  return paths.filter((path) => !isNoticed(path, change)).map((path) => path.join("/"));
}

describe("the newest contract", () => {
  const paths = pathsIn(document);

  it("every removed value is a difference", () => {
    expect(paths.length).toBeGreaterThan(500);
    // A parameter is optional without `required`.
    const isDefault = (path: Path) => path.at(-1) === "required" && (valueAt(path) as unknown) === false;
    const removable = paths.filter((path) => !isDefault(path));
    expect(unnoticed(removable, remove)).toEqual([]);
  });

  it("every changed value is a difference", () => {
    const isSimple = (path: Path) => typeof valueAt(path) !== "object";
    expect(unnoticed(paths.filter(isSimple), replace)).toEqual([]);
  });
});
