import { createHash } from "node:crypto";
import { type Digests, digestProblems, type Frozen, freezeDigests } from "../generate/freeze.ts";

/** Returns the digests of the declarations of all versions except Next. Existing digests do not change. */
export function freezeDeclarations(versions: ReadonlyMap<string, string>, frozen: Frozen): Frozen {
  return freezeDigests(digestsOf(versions), frozen);
}

/** Returns the violations of the freeze: frozen versions whose own declarations changed, and digests without a version. */
export function declarationProblems(versions: ReadonlyMap<string, string>, frozen: Frozen): string[] {
  return digestProblems(digestsOf(versions), frozen, changed);
}

function changed(version: string): string {
  return `The declarations of ${version} changed, and ${version} is frozen: undo the change in versions/${version}, or make it only in Next (LIF-7). \`git diff api\` shows it after \`npm run generate\`.`;
}

function digestsOf(versions: ReadonlyMap<string, string>): Digests {
  return new Map(
    [...versions]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([version, declarations]) => [version, digestOf(declarations)]),
  );
}

function digestOf(declarations: string): string {
  return createHash("sha256").update(declarations).digest("hex");
}
