import { isVersion } from "../../src/lifecycle/index.ts";
import type { VersionImport } from "./find-imports.ts";
import type { Replacement } from "./replace-files.ts";
import type { Place, ScannedFile } from "./scan-project.ts";

/** A file whose imports change. */
export interface ChangedFile extends Replacement {
  /** The imports that change, with their old version. */
  readonly imports: readonly VersionImport[];
}

/** A mention of a version that the command leaves as it is. */
export interface PlaceOfVersion extends Place {
  readonly version: string;
}

/** The changes that an upgrade makes. */
export interface UpgradePlan {
  readonly files: readonly ChangedFile[];
  /** The versions that the changed imports named, oldest first. */
  readonly from: readonly string[];
  /** Imports of other versions, for example of a newer one. */
  readonly kept: readonly PlaceOfVersion[];
  /** Names of the old versions outside of imports, for example in comments. */
  readonly unchanged: readonly PlaceOfVersion[];
}

/** The versions to move: the given ones, or every version before `to`. */
export interface VersionsToMove {
  readonly to: string;
  readonly from: readonly string[] | undefined;
}

/** Plans which imports change. */
export function planUpgrade(files: readonly ScannedFile[], { to, from }: VersionsToMove): UpgradePlan {
  const isMoved = ({ version }: VersionImport) =>
    version !== to && isVersion(version) && (from === undefined ? version < to : from.includes(version));
  const changed = files.flatMap((file) => {
    const imports = file.imports.filter(isMoved);
    return imports.length === 0 ? [] : [{ ...change(file, imports, to), imports }];
  });
  const isKept = (each: VersionImport) => each.version !== to && !isMoved(each);
  return {
    files: changed,
    from: [...new Set(changed.flatMap(({ imports }) => imports.map(({ version }) => version)))].sort(),
    kept: placesIn(files, ({ imports }) => imports.filter(isKept)),
    unchanged: placesIn(files, ({ others }) => others.filter(isMoved)),
  };
}

function change({ path, text }: ScannedFile, imports: readonly VersionImport[], to: string): Replacement {
  const after = imports.reduceRight(
    (rest, { start, version }) => rest.slice(0, start) + to + rest.slice(start + version.length),
    text,
  );
  return { path, before: text, after };
}

function placesIn(
  files: readonly ScannedFile[],
  select: (file: ScannedFile) => readonly VersionImport[],
): PlaceOfVersion[] {
  return files.flatMap((file) => select(file).map(({ version, line }) => ({ version, path: file.path, line })));
}
