import { type ProjectReflection, ReflectionKind } from "typedoc";
import type { OperationPage } from "../model.ts";

/** Ranks search results: what users call and guides come before types. */
export function boostSearch(project: ProjectReflection, operations: readonly OperationPage[]): void {
  for (const page of project.documents ?? []) page.relevanceBoost = 4;
  for (const { member } of operations) member.relevanceBoost = 6;
  for (const child of project.getReflectionsByKind(ReflectionKind.Function)) {
    if (child.isDeclaration()) child.relevanceBoost = child.name === "createClient" ? 8 : 3;
  }
}
