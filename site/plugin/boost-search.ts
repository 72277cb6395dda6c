import { type Application, IndexEvent, type ProjectReflection, type Reflection, ReflectionKind } from "typedoc";
import type { OperationPage, SiteModel } from "../model.ts";

/** Ranks search results: what users call and guides come before types. */
export function boostSearch(project: ProjectReflection, operations: readonly OperationPage[]): void {
  for (const page of project.documents ?? []) page.relevanceBoost = 4;
  for (const { member } of operations) member.relevanceBoost = 6;
  for (const child of project.getReflectionsByKind(ReflectionKind.Function)) {
    if (child.isDeclaration()) child.relevanceBoost = child.name === "createClient" ? 8 : 3;
  }
}

/** Makes the search find guides by their summaries, and operations by their paths, ids and summaries. */
export function addKeywords(app: Application, { guides, operations }: SiteModel): void {
  const keywords = new Map<Reflection, string>();
  for (const { page, summary } of guides.flatMap((group) => group.guides)) keywords.set(page, summary);
  for (const { member, id, path, summary } of operations) keywords.set(member, `${id} ${path} ${summary}`);
  app.renderer.on(IndexEvent.PREPARE_INDEX, (event: IndexEvent) => {
    event.searchFieldWeights["keywords"] = 5;
    event.searchResults.forEach((result, index) => {
      const fields = event.searchFields[index];
      if (fields) fields["keywords"] = keywords.get(result) ?? "";
    });
  });
}
