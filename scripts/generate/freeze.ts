import { createHash } from "node:crypto";
import type { OpenApiDocument } from "../../src/openapi/document.ts";

/** The digests of what a version promises. */
export interface VersionDigests {
  /** The digest of its OpenAPI document, without prose. */
  readonly contract: string;
  /** The digest of what its own files declare for users. */
  readonly declarations: string;
}

/** The digests of each frozen version, by the version's name. */
export type Frozen = Readonly<Record<string, VersionDigests>>;

/** The digests of all versions, oldest first. The newest is Next. */
export type Digests = ReadonlyMap<string, VersionDigests>;

/** Returns the digests of all versions, from their documents and from what each declares. */
export function digestsOf(documents: readonly OpenApiDocument[], declarations: ReadonlyMap<string, string>): Digests {
  return new Map(
    documents.map((document) => {
      const { version } = document.info;
      return [version, { contract: digestOf(document), declarations: sha256(declarations.get(version) ?? "") }];
    }),
  );
}

const prose: ReadonlySet<string> = new Set(["description", "summary", "x-assumption"]);

/** Returns the digest of a document without its prose and its URLs. */
function digestOf({ info: _info, servers: _servers, ...promises }: OpenApiDocument): string {
  return sha256(JSON.stringify(withoutProse(promises)));
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

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Returns the digests of all versions except Next. Existing digests do not change. */
export function freeze(digests: Digests, frozen: Frozen): Frozen {
  return Object.fromEntries([...digests].slice(0, -1).map(([version, each]) => [version, frozen[version] ?? each]));
}

/** Returns the violations of the freeze: frozen versions that changed, and digests that do not match the versions. */
export function freezeProblems(digests: Digests, frozen: Frozen): string[] {
  const stable = new Map([...digests].slice(0, -1));
  const unknown = Object.keys(frozen).filter((version) => !stable.has(version));
  return [
    ...unknown.map((version) => `${version} is frozen, but it is not Current or Deprecated.`),
    ...[...stable].flatMap(([version, each]) => problemsOf(version, each, frozen[version])),
  ];
}

function problemsOf(version: string, now: VersionDigests, frozen: VersionDigests | undefined): string[] {
  if (!frozen) return [`${version} is Current or Deprecated, but not frozen: run \`npm run generate\`.`];
  const changed = (what: string, diff: string) =>
    `The ${what} of ${version} changed, and ${version} is frozen: undo the change in versions/${version}, or make it only in Next (LIF-7). \`git diff ${diff}\` shows it after \`npm run generate\`.`;
  return [
    ...(now.contract === frozen.contract ? [] : [changed("contract", `versions/${version}/openapi.json`)]),
    ...(now.declarations === frozen.declarations ? [] : [changed("declarations", `versions/${version}/api.md`)]),
  ];
}
