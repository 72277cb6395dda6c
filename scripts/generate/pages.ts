// The generated parts of pages.

import { releaseDates } from "../../src/lifecycle/index.ts";
import type { OpenApiDocument } from "../../src/openapi/document.ts";
import { STATES } from "./code.ts";
import { diffContracts, formatMarkdown } from "./contract-diff.ts";

const END = "<!-- End of the generated part. -->";

/** Returns the comment before a generated block. A page with several blocks needs a name for each. */
function startOf(name: string | undefined): string {
  return `<!-- Written by \`npm run generate\` from the contracts${name ? `, ${name}` : ""}: -->`;
}

/**
 * Replaces a generated block of a page. Without one, adds it after the title.
 *
 * @throws Error when the page has no title either.
 */
export function withGeneratedBlock(page: string, content: string, name?: string): string {
  const block = `${startOf(name)}\n\n${content.trim()}\n\n${END}`;
  const start = page.indexOf(startOf(name));
  const end = page.indexOf(END, start);
  if (start >= 0 && end > start) return page.slice(0, start) + block + page.slice(end + END.length);
  const title = /^# .+\n/m.exec(page);
  if (title === null)
    throw new Error(`a page needs a title for its generated block; it starts with: ${page.slice(0, 40)}`);
  const rest = page.slice(title.index + title[0].length).trim();
  return `${title[0]}\n${block}\n${rest === "" ? "" : `\n${rest}\n`}`;
}

/** Returns the generated part of `CHANGES.md` of a version: the differences from the version before. */
export function changesSince(before: OpenApiDocument, after: OpenApiDocument, isNext: boolean): string {
  const { version } = after.info;
  const note = `${version} is Next: it may change in incompatible ways until the release that makes it Current.\n\n`;
  return `${isNext ? note : ""}## Differences from ${before.info.version}\n\n${differencesOf(before, after)}`;
}

/** Returns the differences between each version and every later one. */
export function upgradesOf(documents: readonly OpenApiDocument[]): string {
  const sections = documents.flatMap((before, index) =>
    documents
      .slice(index + 1)
      .map((after) => `### From ${before.info.version} to ${after.info.version}\n\n${differencesOf(before, after)}`),
  );
  return sections.join("\n");
}

function differencesOf(before: OpenApiDocument, after: OpenApiDocument): string {
  const differences = diffContracts(before, after);
  if (differences.length === 0) return "None. Both versions have the same contract.\n";
  return formatMarkdown(differences);
}

/** Returns the calendar of the versions, oldest first, as a table. A single date is the first day of the week of a release. */
export function calendarOf(versions: readonly string[]): string {
  const rows = versions.map((version, index) => {
    const { next, current, deprecated, removed } = releaseDates(version);
    const days = [next.from, current.from, deprecated.from].map(({ earliest }) => earliest);
    const removal = `${removed.earliest} to ${removed.latest.slice("YYYY-".length)}`;
    return `| ${[version, STATES[index], ...days, removal].join(" | ")} |`;
  });
  return `| version | in this package | Next from | Current from | Deprecated from | removed |
| ------- | --------------- | --------- | ------------ | --------------- | ------- |
${rows.join("\n")}`;
}
