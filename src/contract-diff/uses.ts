import type { JsonSchema, OpenApiDocument } from "../openapi/index.ts";
import { type OperationPart, operationsOf } from "./operations-of.ts";
import { nameOfReference } from "./schema/describe-schema.ts";

type Models = Readonly<Record<string, JsonSchema>>;

/** One place in which a model is used. */
export interface Use {
  readonly part: OperationPart | "webhook event";
  /** The id of the operation; undefined for a webhook event. */
  readonly operation?: string;
}

/** Returns where each model of some documents is used, directly or through other models. */
export function usesOfModels(documents: readonly OpenApiDocument[]): ReadonlyMap<string, readonly Use[]> {
  const uses = new Map<string, Use[]>();
  for (const document of documents) {
    for (const [use, schema] of schemasIn(document)) {
      for (const name of modelsIn(schema, document.components.schemas))
        uses.set(name, [...(uses.get(name) ?? []), use]);
    }
  }
  return uses;
}

function schemasIn(document: OpenApiDocument): (readonly [Use, unknown])[] {
  const operations = operationsOf(document).flatMap(({ id, schemas }) =>
    schemas.map(({ part, schema }) => [{ part, operation: id }, schema] as const),
  );
  return [...operations, [{ part: "webhook event" }, document["x-webhook-events"]]];
}

/** Returns the models that a value refers to, directly or through other models. */
function modelsIn(value: unknown, models: Models, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== "object" || value === null) return found;
  const { $ref } = value as JsonSchema;
  const name = typeof $ref === "string" ? nameOfReference($ref) : undefined;
  if (name !== undefined && !found.has(name)) modelsIn(models[name], models, found.add(name));
  for (const inner of Object.values(value)) modelsIn(inner, models, found);
  return found;
}
