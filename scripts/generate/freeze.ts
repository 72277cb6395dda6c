import { createHash } from "node:crypto";
import type { OpenApiDocument } from "../../src/openapi/index.ts";

/** The digest of each frozen version, by the version's name. */
export type Frozen = Readonly<Record<string, string>>;

/** The digests of all versions, oldest first. The newest is Next. */
export type Digests = ReadonlyMap<string, string>;

const prose: ReadonlySet<string> = new Set(["description", "summary", "x-assumption"]);

/** Returns the digest of a document without its prose and its URLs. */
export function digestOf({ info: _info, servers: _servers, ...promises }: OpenApiDocument): string {
  return createHash("sha256")
    .update(JSON.stringify(withoutProse(promises)))
    .digest("hex");
}

/** Returns the digests of all contracts except that of Next. Existing digests do not change. */
export function freeze(documents: readonly OpenApiDocument[], frozen: Frozen): Frozen {
  return freezeDigests(digestsOf(documents), frozen);
}

/** Returns the violations of the freeze: frozen contracts that changed, and digests that do not match the versions. */
export function freezeProblems(documents: readonly OpenApiDocument[], frozen: Frozen): string[] {
  return digestProblems(digestsOf(documents), frozen, contractChanged);
}

function digestsOf(documents: readonly OpenApiDocument[]): Digests {
  return new Map(documents.map((each) => [each.info.version, digestOf(each)]));
}

function contractChanged(version: string): string {
  return `The contract of ${version} changed, and ${version} is frozen: undo the change in versions/${version}, or make it only in Next (LIF-7). \`git diff versions/${version}/openapi.json\` shows it after \`npm run generate\`.`;
}

/** Returns the digests of all versions except Next. Existing digests do not change. */
export function freezeDigests(digests: Digests, frozen: Frozen): Frozen {
  return Object.fromEntries([...digests].slice(0, -1).map(([version, digest]) => [version, frozen[version] ?? digest]));
}

/** Returns the frozen versions whose digest changed, in the words of `changed`, and digests that do not match the versions. */
export function digestProblems(digests: Digests, frozen: Frozen, changed: (version: string) => string): string[] {
  const stable = new Map([...digests].slice(0, -1));
  const unknown = Object.keys(frozen).filter((version) => !stable.has(version));
  const problemOf = ([version, digest]: readonly [string, string]): string[] => {
    if (frozen[version] === undefined)
      return [`${version} is Current or Deprecated, but not frozen: run \`npm run generate\`.`];
    return frozen[version] === digest ? [] : [changed(version)];
  };
  return [
    ...unknown.map((version) => `${version} is frozen, but it is not Current or Deprecated.`),
    ...[...stable].flatMap(problemOf),
  ];
}

/** Returns a copy with sorted keys and without prose. */
function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name, inner]) => !(prose.has(name) && typeof inner === "string"));
  return Object.fromEntries(
    kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, withoutProse(inner)]),
  );
}
