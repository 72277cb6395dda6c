import { type Application, IndexEvent, type Reflection, ReflectionKind } from "typedoc";
import type { GuidePage, SiteModel } from "../model.ts";
import { textOf } from "./read-guides.ts";

/** The kinds of members. There are so many that they would fill the results of "error" or "timeout". */
const MEMBERS = ReflectionKind.Property | ReflectionKind.Method | ReflectionKind.Accessor | ReflectionKind.Constructor;

const TYPES = ReflectionKind.Interface | ReflectionKind.TypeAlias;

/** Ranks search results: what users call and guides come before types, and types before their members. */
export function boostSearch({
  project,
  guides,
  operations,
}: Pick<SiteModel, "project" | "guides" | "operations">): void {
  for (const member of project.getReflectionsByKind(MEMBERS)) {
    if (member.isDeclaration()) member.relevanceBoost = 0.1;
  }
  for (const type of project.getReflectionsByKind(TYPES)) {
    if (type.isDeclaration()) type.relevanceBoost = 0.5;
  }
  // Without the last group, which is about the project itself.
  for (const { page } of guides.slice(0, -1).flatMap((group) => group.guides)) page.relevanceBoost = 25;
  for (const { member } of operations) member.relevanceBoost = 6;
  for (const child of project.getReflectionsByKind(ReflectionKind.Function)) {
    if (child.isDeclaration()) child.relevanceBoost = child.name === "createClient" ? 8 : 3;
  }
}

/** Makes the search find guides by their summaries and headings, and operations by their paths, ids and summaries. */
export function addKeywords(app: Application, { guides, operations }: SiteModel): void {
  const keywords = new Map<Reflection, string>();
  for (const guide of guides.flatMap((group) => group.guides)) keywords.set(guide.page, keywordsOf(guide));
  for (const { member, id, path, summary } of operations) keywords.set(member, `${id} ${path} ${summary}`);
  app.renderer.on(IndexEvent.PREPARE_INDEX, (event: IndexEvent) => {
    event.searchFieldWeights["keywords"] = 10;
    event.searchResults.forEach((result, index) => {
      const fields = event.searchFields[index];
      if (fields) fields["keywords"] = keywords.get(result) ?? "";
    });
    // A re-export would repeat the result of what it refers to.
    for (let index = event.searchResults.length - 1; index >= 0; index--) {
      if (event.searchResults[index]?.isReference()) event.removeResult(index);
    }
  });
}

function keywordsOf({ title, summary, keywords = "", page }: GuidePage): string {
  const headings = [...textOf(page.content).matchAll(/^#{2,3} (.+)$/gm)].map(([, heading]) => heading);
  return [title, summary, keywords, ...headings].join(" ");
}
