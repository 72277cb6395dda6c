import type { OpenApiDocument } from "../openapi/index.ts";
import { compareLists, typesIn } from "./compare-lists.ts";
import { compareModels } from "./compare-models.ts";
import { compareOperations } from "./compare-operations.ts";
import type { Difference } from "./difference.ts";

/**
 * Compares the contracts in two OpenAPI documents. Wording, examples and order do not count. Names of scopes and of webhook
 * event types are compared once, not for every schema that lists them.
 */
export function diffContracts(before: OpenApiDocument, after: OpenApiDocument): Difference[] {
  const context = {
    before: before.components.schemas,
    after: after.components.schemas,
    lists: [
      [before["x-scopes"], after["x-scopes"]],
      [typesIn(before), typesIn(after)],
    ],
  } as const;
  return [
    ...compareOperations(before, after, context),
    ...compareModels(before, after, context),
    ...compareLists(before, after, context),
  ];
}
