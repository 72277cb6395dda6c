import { readFileSync } from "node:fs";
import { ROOT } from "../paths.ts";
import list from "./guides.json" with { type: "json" };

/** A page of the site that is written by hand, in Markdown. */
export interface Guide {
  /** The file, from the folder of the project. */
  readonly file: string;
  readonly url: string;
  /** The first heading. */
  readonly title: string;
  /** The entry points (`mock/node`) and exports (`createMock`, `*Error`) whose reference pages link to the guide. */
  readonly explains: readonly string[];
}

/** The guides in navigation order, each with the exports that it explains. The footer links to `project`. */
const groups: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = list.groups;
const { project } = list;

/** Returns the guides by the heading of their group, in the order of the navigation. */
export function guideGroups(): readonly (readonly [title: string, guides: readonly Guide[]])[] {
  return Object.entries(groups).map(([title, files]) => {
    return [title, Object.entries(files).map(([file, explains]) => guideOf(file, explains))];
  });
}

/** Returns the guides for contributors. */
export function projectGuides(): readonly Guide[] {
  return project.map((file) => guideOf(file));
}

/** Returns all guides, in the order of the navigation. Their files are read once. */
export function allGuides(): readonly Guide[] {
  known ??= [...guideGroups().flatMap(([, guides]) => guides), ...projectGuides()];
  return known;
}
let known: readonly Guide[] | undefined;

function guideOf(file: string, explains: readonly string[] = []): Guide {
  return { file, url: guideUrl(file), title: headingOf(file), explains };
}

/** Returns the first heading of a file. */
export function headingOf(file: string): string {
  return /^# (.*)/.exec(textOf(file))?.[1] ?? file;
}

/** Returns a file's text. */
export function textOf(file: string): string {
  return readFileSync(ROOT + file, "utf8");
}

/** Returns the URL of a guide, from its file. A version's list of changes is part of a guide. */
export function guideUrl(file: string): string {
  if (file.endsWith("SECURITY.md")) return "/guides/reporting-a-vulnerability";
  if (/^versions\/.*CHANGES/.test(file)) return "/guides/versions#what-changed-between-the-versions";
  return `/guides/${file
    .replace(/^docs\//, "")
    .replace(/\.md$/, "")
    .toLowerCase()
    .replace(/readme$/, "")}`;
}

/** Returns the guides that explain an export or its kind or, if there are none, its entry point. */
export function guidesFor(name: string, slug: string, isModule: boolean): readonly Guide[] {
  const keys = isModule ? [slug] : [name, `*${/[A-Z][a-z]+$/.exec(name)}`, slug];
  const found = keys.map((key) => allGuides().filter(({ explains }) => explains.includes(key)));
  return found.find((guides) => guides.length > 0) ?? [];
}
