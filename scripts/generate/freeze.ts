import { createHash } from "node:crypto";
import type { OpenApiDocument } from "../../src/openapi/index.ts";

/** The digest of the contract of each frozen version, by the version's name. */
export type Frozen = Readonly<Record<string, string>>;

const prose: ReadonlySet<string> = new Set(["description", "summary", "x-assumption"]);

/** Returns the digest of a document without its prose and its URLs. */
export function digestOf({ info: _info, servers: _servers, ...promises }: OpenApiDocument): string {
  return createHash("sha256")
    .update(JSON.stringify(withoutProse(promises)))
    .digest("hex");
}

/** Returns the digests of all versions except the newest, which is Next. Existing digests do not change. */
export function freeze(documents: readonly OpenApiDocument[], frozen: Frozen): Frozen {
  const stable = documents.slice(0, -1);
  return Object.fromEntries(stable.map((each) => [each.info.version, frozen[each.info.version] ?? digestOf(each)]));
}

/** Returns the violations of the freeze: frozen contracts that changed, and digests that do not match the versions. */
export function freezeProblems(documents: readonly OpenApiDocument[], frozen: Frozen): string[] {
  const stable = new Map(documents.slice(0, -1).map((each) => [each.info.version, each]));
  const unknown = Object.keys(frozen).filter((version) => !stable.has(version));
  return [
    ...unknown.map((version) => `${version} is frozen, but it is not Current or Deprecated.`),
    ...[...stable].flatMap(([version, document]) => problemOf(version, document, frozen[version])),
  ];
}

function problemOf(version: string, document: OpenApiDocument, digest: string | undefined): string[] {
  if (digest === undefined) return [`${version} is Current or Deprecated, but not frozen: run \`npm run generate\`.`];
  if (digest === digestOf(document)) return [];
  return [
    `The contract of ${version} changed, and ${version} is frozen: undo the change in versions/${version}, or make it only in Next (LIF-7). \`git diff versions/${version}/openapi.json\` shows it after \`npm run generate\`.`,
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
