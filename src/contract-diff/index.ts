import { type JsonSchema, modelsIn, type OpenApiDocument } from "../openapi/index.ts";
import { compareOperations, operationsIn, schemaDifference, schemasOf, type Use } from "./compare-operations.ts";
import { type CompareSchemas, missingFrom, schemaComparison } from "./compare-schemas.ts";
import { type Difference, difference } from "./difference.ts";

export { type Difference, formatMarkdown } from "./difference.ts";

/**
 * Compares the contracts in two OpenAPI documents. Wording, examples and order do not count. Names of scopes and of webhook
 * event types are compared once, not for every schema that lists them.
 */
export function diffContracts(before: OpenApiDocument, after: OpenApiDocument): Difference[] {
  const types = (document: OpenApiDocument) => Object.keys(document["x-webhook-events"]);
  const compare = schemaComparison(before.components.schemas, after.components.schemas, [
    [before["x-scopes"], after["x-scopes"]],
    [types(before), types(after)],
  ]);
  return [
    ...compareOperations(before, after, compare),
    ...compareModels(before, after, compare),
    ...compareNames("webhook event", "event type", types(before), types(after)),
    ...types(before).flatMap((type) => compareData(type, before, after, compare)),
    ...compareNames("scope", "scope", before["x-scopes"], after["x-scopes"]),
    ...compareSchemes(before.components.securitySchemes, after.components.securitySchemes),
  ];
}

/** Compares the models of two documents, field by field. A model that only describes error bodies is an error. */
function compareModels(before: OpenApiDocument, after: OpenApiDocument, compare: CompareSchemas): Difference[] {
  const uses = usesOfModels([before, after]);
  const [old, now] = [before.components.schemas, after.components.schemas];
  return Object.keys({ ...old, ...now }).flatMap((name): Difference[] => {
    const own = uses.get(name) ?? [];
    const area = own.length > 0 && own.every(({ part }) => part === "error") ? "error" : "model";
    const [one, other] = [old[name], now[name]];
    if (one && other) return compare(one, other).map((each) => schemaDifference(each, { area, subject: name }, own));
    const message = other ? "new model" : "model removed";
    return [difference(area, name, message, !other, operationsIn(own))];
  });
}

/** Returns where each model of some documents is used, directly or through other models. */
function usesOfModels(documents: readonly OpenApiDocument[]): ReadonlyMap<string, readonly Use[]> {
  const uses = new Map<string, Use[]>();
  for (const document of documents) {
    const events = [{ part: "webhook event" }, document["x-webhook-events"]] as const;
    for (const [use, schema] of [...schemasOf(document), events])
      for (const name of modelsIn(schema, document.components.schemas))
        uses.set(name, [...(uses.get(name) ?? []), use]);
  }
  return uses;
}

type Area = Difference["area"];

function compareNames(area: Area, kind: string, before: readonly string[], after: readonly string[]): Difference[] {
  return [
    ...missingFrom(before, after).map((name) => difference(area, name, `new ${kind}`, false)),
    ...missingFrom(after, before).map((name) => difference(area, name, `${kind} removed`, true)),
  ];
}

function compareData(
  type: string,
  before: OpenApiDocument,
  after: OpenApiDocument,
  compare: CompareSchemas,
): Difference[] {
  const [old, now] = [before["x-webhook-events"][type], after["x-webhook-events"][type]];
  if (now === undefined || old === now) return [];
  if (old === true) return [difference("webhook event", type, "its data is now described", false)];
  if (now === true) return [difference("webhook event", type, "the schema of its data was removed", true)];
  const subject = { area: "webhook event", subject: `${type} data` } as const;
  return compare(old as JsonSchema, now).map((each) => schemaDifference(each, subject, [{ part: "webhook event" }]));
}

type SecuritySchemes = OpenApiDocument["components"]["securitySchemes"];

function compareSchemes(before: SecuritySchemes, after: SecuritySchemes): Difference[] {
  const form = (scheme: object | undefined) => JSON.stringify({ ...scheme, description: undefined });
  const kept = Object.keys(before).filter((name) => name in after && form(before[name]) !== form(after[name]));
  return [
    ...compareNames("authentication", "kind of credential", Object.keys(before), Object.keys(after)),
    ...kept.map((name) => difference("authentication", name, "is sent differently", true)),
  ];
}
