import { diffContracts, formatMarkdown } from "../../src/contract-diff/index.ts";
import type { OpenApiDocument } from "../../src/openapi/index.ts";

/** Returns the generated part of `CHANGES.md` of a version: the differences from the version before. */
export function changesSince(before: OpenApiDocument, after: OpenApiDocument, isNext: boolean): string {
  const { version } = after.info;
  const note = `${version} is Next: it may change in incompatible ways until the release that makes it Current.\n\n`;
  return `${isNext ? note : ""}## Differences from ${before.info.version}\n\n${differencesOf(before, after)}`;
}

/** Returns the generated part of the upgrade guide: the differences between each version and every later one. */
export function upgradesOf(documents: readonly OpenApiDocument[]): string {
  const pairs = documents.flatMap((before, index) =>
    documents.slice(index + 1).map((after) => [before, after] as const),
  );
  const sections = pairs.map(
    ([before, after]) => `### From ${before.info.version} to ${after.info.version}\n\n${differencesOf(before, after)}`,
  );
  return sections.join("\n");
}

function differencesOf(before: OpenApiDocument, after: OpenApiDocument): string {
  const differences = diffContracts(before, after);
  if (differences.length === 0) return "None. Both versions have the same contract.\n";
  return formatMarkdown(differences);
}
