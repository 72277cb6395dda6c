import { textKey } from "./find-mentions.ts";
import type { PlaceOfVersion } from "./plan-upgrade.ts";
import type { ScannedFile } from "./scan-project.ts";

/** Finds the strings that are the name of one of some versions, for example the value of `api_version`. */
export function findVersionStrings(versions: readonly string[], files: readonly ScannedFile[]): PlaceOfVersion[] {
  return files.flatMap(({ path, mentions }) =>
    versions.flatMap((version) => (mentions.get(textKey(version)) ?? []).map((line) => ({ version, path, line }))),
  );
}
