import type { JsonSchema, OpenApiDocument } from "../openapi/index.ts";
import type { Difference } from "./difference.ts";
import { compareSchemas, type SchemaContext } from "./schema/compare-schemas.ts";
import { missingFrom } from "./schema/schema-change.ts";
import { schemaDifference } from "./schema-difference.ts";

type Area = Difference["area"];

/** Compares the scopes, the webhook event types and the security schemes of two documents. */
export function compareLists(before: OpenApiDocument, after: OpenApiDocument, context: SchemaContext): Difference[] {
  return [
    ...compareNames("webhook event", "event type", typesIn(before), typesIn(after)),
    ...typesIn(before).flatMap((type) => compareData(type, before, after, context)),
    ...compareNames("scope", "scope", before["x-scopes"], after["x-scopes"]),
    ...compareSchemes(before, after),
  ];
}

/** Lists the webhook event types of a document. */
export function typesIn(document: OpenApiDocument): string[] {
  return Object.keys(document["x-webhook-events"]);
}

function compareNames(area: Area, kind: string, before: readonly string[], after: readonly string[]): Difference[] {
  return [
    ...missingFrom(before, after).map((name) => difference(area, "added", name, `new ${kind}`, false)),
    ...missingFrom(after, before).map((name) => difference(area, "removed", name, `${kind} removed`, true)),
  ];
}

function difference(
  area: Area,
  change: Difference["change"],
  subject: string,
  message: string,
  breaking: boolean,
): Difference {
  return { area, change, subject, message, breaking, operations: [] };
}

function compareData(
  type: string,
  before: OpenApiDocument,
  after: OpenApiDocument,
  context: SchemaContext,
): Difference[] {
  const [old, now] = [before["x-webhook-events"][type], after["x-webhook-events"][type]];
  if (now === undefined || old === now) return [];
  if (old === true) return [difference("webhook event", "changed", type, "its data is now described", false)];
  if (now === true) return [difference("webhook event", "changed", type, "the schema of its data was removed", true)];
  const subject = { area: "webhook event", subject: `${type} data` } as const;
  return compareSchemas(old as JsonSchema, now, context).map((change) =>
    schemaDifference(change, subject, [{ part: "webhook event" }]),
  );
}

function compareSchemes(before: OpenApiDocument, after: OpenApiDocument): Difference[] {
  const [old, now] = [before.components.securitySchemes, after.components.securitySchemes];
  const kept = Object.keys(old).filter((name) => name in now && formOf(old[name]) !== formOf(now[name]));
  return [
    ...compareNames("authentication", "kind of credential", Object.keys(old), Object.keys(now)),
    ...kept.map((name) => difference("authentication", "changed", name, "is sent differently", true)),
  ];
}

/** Returns a security scheme without its description. */
function formOf(scheme: object | undefined): string {
  return JSON.stringify({ ...scheme, description: undefined });
}
