import type { DeclarationReflection, ProjectReflection } from "typedoc";
import type { OperationPage } from "../model.ts";
import type { OperationDocs } from "../operations/operation-docs.ts";

/** Finds the method of each operation: `BillingClient` has a property per resource, and its type has the methods. */
export function findOperations(project: ProjectReflection, docs: readonly OperationDocs[]): readonly OperationPage[] {
  const client = project.children
    ?.flatMap(({ children }) => children ?? [])
    .find(({ name }) => name === "BillingClient");
  return docs.map((operation) => {
    const member = resourceOf(client, operation.resource)?.getChildByName(operation.method);
    if (!member?.isDeclaration()) {
      throw new Error(`The reference has no method billing.${operation.resource}.${operation.method}.`);
    }
    return { ...operation, member };
  });
}

function resourceOf(client: DeclarationReflection | undefined, name: string): DeclarationReflection | undefined {
  const property = client?.getChildByName(name);
  const type = property?.isDeclaration() ? property.type : undefined;
  return type?.type === "reference" ? (type.reflection as DeclarationReflection | undefined) : undefined;
}
