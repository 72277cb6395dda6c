import type { OpenApiDocument } from "../openapi/index.ts";
import type { Difference } from "./difference.ts";
import { compareSchemas, type SchemaContext } from "./schema/compare-schemas.ts";
import { missingFrom } from "./schema/schema-change.ts";
import { operationsIn, schemaDifference } from "./schema-difference.ts";
import { type Use, usesOfModels } from "./uses.ts";

/** Compares the models of two documents, field by field. A model that only describes error bodies is an error. */
export function compareModels(before: OpenApiDocument, after: OpenApiDocument, context: SchemaContext): Difference[] {
  const uses = usesOfModels([before, after]);
  const [old, now] = [Object.keys(context.before), Object.keys(context.after)];
  const kept = old.filter((name) => name in context.after);
  return [
    ...missingFrom(old, now).map((name) => whole(name, "added", uses.get(name))),
    ...missingFrom(now, old).map((name) => whole(name, "removed", uses.get(name))),
    ...kept.flatMap((name) => compareModel(name, context, uses.get(name))),
  ];
}

function whole(name: string, change: "added" | "removed", uses: readonly Use[] = []): Difference {
  const message = change === "added" ? "new model" : "model removed";
  return {
    area: areaOf(uses),
    change,
    subject: name,
    message,
    breaking: change === "removed",
    operations: operationsIn(uses),
  };
}

function compareModel(name: string, context: SchemaContext, uses: readonly Use[] = []): Difference[] {
  const changes = compareSchemas(context.before[name] ?? {}, context.after[name] ?? {}, context);
  return changes.map((change) => schemaDifference(change, { area: areaOf(uses), subject: name }, uses));
}

function areaOf(uses: readonly Use[]): "model" | "error" {
  return uses.length > 0 && uses.every(({ part }) => part === "error") ? "error" : "model";
}
