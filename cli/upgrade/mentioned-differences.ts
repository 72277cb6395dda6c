import { type Difference, diffContracts } from "../../src/contract-diff/index.ts";
import { methods } from "../generated/methods.ts";
import { type PackagedVersion, versionNames } from "../versions.ts";
import { callKey, fieldKey, textKey, wordKey } from "./find-mentions.ts";
import { readDocument } from "./read-document.ts";
import type { Place, ScannedFile } from "./scan-project.ts";

/** A difference between two contracts, and where the project mentions what differs. */
export interface MentionedDifference extends Difference {
  /** The name that was searched, for example `events.ingest` or `pages`. */
  readonly name: string;
  readonly mentions: readonly Place[];
}

/** The differences that a step from one version to another brings. */
export interface UpgradeStep {
  readonly from: string;
  /** Undefined if the package does not contain the old version. */
  readonly differences: readonly MentionedDifference[] | undefined;
}

/** Compares a version with the one to upgrade to, and searches the files for the names of what differs. */
export function compareWithVersion(from: string, to: PackagedVersion, files: readonly ScannedFile[]): UpgradeStep {
  const old = versionNames.find((name) => name === from);
  if (old === undefined) return { from, differences: undefined };
  const names = { ...methods[to], ...methods[old] };
  const differences = diffContracts(readDocument(old), readDocument(to)).map((each) => mention(each, names, files));
  return { from, differences };
}

type Methods = Readonly<Record<string, string>>;

function mention(difference: Difference, names: Methods, files: readonly ScannedFile[]): MentionedDifference {
  const searched = searchedNames(difference, names);
  const keys = searched.map(({ key }) => key);
  return { ...difference, name: searched.map(({ name }) => name).join(" or "), mentions: placesOf(keys, files) };
}

interface SearchedName {
  readonly name: string;
  readonly key: string;
}

/** Returns the names to search for: of a method, a field, a model, an event type or a scope, and values of an enum. */
function searchedNames({ area, subject, values = [] }: Difference, names: Methods): SearchedName[] {
  const [first = ""] = subject.split(" ");
  const method = names[first];
  const field = /\.(\w+)[^.]*$/.exec(subject)?.[1];
  const strings = values.map((value) => ({ name: JSON.stringify(value), key: textKey(value) }));
  if (method !== undefined) return [{ name: method, key: callKey(method) }, ...strings];
  if (area === "webhook event" || area === "scope") return [{ name: JSON.stringify(first), key: textKey(first) }];
  if (area === "authentication" || area === "operation") return [];
  if (field !== undefined) return [{ name: field, key: fieldKey(field) }, ...strings];
  return [{ name: first, key: wordKey(first) }, ...strings];
}

function placesOf(keys: readonly string[], files: readonly ScannedFile[]): Place[] {
  return files.flatMap(({ path, mentions }) => {
    const lines = new Set(keys.flatMap((key) => mentions.get(key) ?? []));
    return [...lines].sort((one, other) => one - other).map((line) => ({ path, line }));
  });
}
