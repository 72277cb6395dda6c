import { basename, dirname } from "node:path";
import type { CommentDisplayPart, DocumentReflection, ProjectReflection } from "typedoc";
import { guideGroups } from "../guides.ts";
import type { GuidePages } from "../model.ts";
import { PLAYGROUND, ROOT } from "../paths.ts";
import { currentVersion, siteVersions } from "../versions.ts";

/** Gives each document its title, and returns the guides in the order of the navigation. */
export function readGuides(project: ProjectReflection, version: string): readonly GuidePages[] {
  const pages = new Map((project.documents ?? []).map((page) => [fileOf(page), page]));
  for (const page of pages.values()) prepare(page, version);
  return guideGroups().map(({ title, guides }) => ({
    title,
    guides: guides.map((guide) => {
      const page = pages.get(guide.file) as DocumentReflection;
      page.name = guide.title;
      return { ...guide, page, url: `${slugOfDocument(page)}.html` };
    }),
  }));
}

/** Returns the file of a document, from the folder of the project. */
export function fileOf(page: DocumentReflection): string {
  return (page.project.files.getReflectionPath(page) ?? "").slice(ROOT.length);
}

/** Returns the name of a document in URLs: `guides/testing`, `changes/2025-01`. */
export function slugOfDocument(page: DocumentReflection): string {
  const file = fileOf(page);
  const name = basename(file, ".md").toLowerCase();
  if (file === PLAYGROUND) return "playground";
  if (file.startsWith("versions/")) return `changes/${basename(dirname(file))}`;
  if (file === "SECURITY.md") return "guides/reporting-a-vulnerability";
  return file.startsWith("docs/decisions/") ? `guides/decisions/${name.replace("readme", "index")}` : `guides/${name}`;
}

/** Takes the first heading out of the content, since the page prints the title, and shows imports of the version. */
function prepare(page: DocumentReflection, version: string): void {
  const [first] = page.content;
  const heading = /^\s*# (.*)\n/.exec(first?.text ?? "");
  if (first && heading) {
    page.name = heading[1] ?? page.name;
    first.text = first.text.slice(heading[0].length);
  }
  for (const part of page.content) if (part.kind === "code") part.text = importVersion(part.text, version);
}

/** Returns the beginning of a page, up to its second heading. */
export function introOf(page: DocumentReflection): readonly CommentDisplayPart[] {
  const end = page.content.findIndex(({ text }) => /^## /m.test(text));
  const last = page.content[end];
  if (last?.kind !== "text") return page.content;
  return [...page.content.slice(0, end), { kind: "text", text: last.text.slice(0, last.text.search(/^## /m)) }];
}

/** Replaces the import of the Current version in code that mentions no other version. */
function importVersion(code: string, version: string): string {
  const current = currentVersion().name;
  const others = siteVersions().filter(({ name }) => name !== current);
  if (code.startsWith("```diff") || others.some(({ name }) => code.includes(name))) return code;
  return code.replaceAll(`@billing-service/sdk/${current}`, `@billing-service/sdk/${version}`);
}

/** Returns the text of parts of a page. */
export function textOf(parts: readonly CommentDisplayPart[]): string {
  return parts.map(({ text }) => text).join("");
}
