import type { DeclarationReflection, ProjectReflection, Reflection } from "typedoc";
import type { OperationPage } from "../model.ts";

/** Returns what inline code may refer to: exports by name, operations as `billing.events.ingest`, and members of the mock. */
export function findSymbols(
  project: ProjectReflection,
  operations: readonly OperationPage[],
): ReadonlyMap<string, Reflection> {
  const symbols = new Map<string, Reflection>();
  for (const child of (project.children ?? []).flatMap(({ children }) => children ?? [])) {
    if (!symbols.has(child.name)) symbols.set(child.name, targetOf(child));
  }
  for (const { resource, method, member } of operations) symbols.set(`billing.${resource}.${method}`, member);
  const mock = symbols.get("Mock") as DeclarationReflection | undefined;
  for (const member of mock?.children ?? []) symbols.set(`mock.${member.name}`, member);
  return symbols;
}

function targetOf(child: DeclarationReflection): Reflection {
  return child.isReference() ? child.getTargetReflectionDeep() : child;
}
