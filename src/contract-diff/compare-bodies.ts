import type { Difference } from "./difference.ts";
import { operationDifference } from "./operation-difference.ts";
import { type ComparedOperation, isSuccess, type OperationPair } from "./operations-of.ts";
import { compareSchemas, type SchemaContext } from "./schema/compare-schemas.ts";
import { describeSchema } from "./schema/describe-schema.ts";
import { missingFrom } from "./schema/schema-change.ts";
import { schemaDifference } from "./schema-difference.ts";

/** Compares the body of a request. */
export function compareRequestBodies([{ body: before }, after]: OperationPair, context: SchemaContext): Difference[] {
  const { id, body } = after;
  if (before === undefined && body === undefined) return [];
  if (before === undefined) return [operationDifference(after, "changed", "now requires a request body", true)];
  if (body === undefined) return [operationDifference(after, "changed", "no longer has a request body", true)];
  const inBody = { area: "operation", subject: `${id} request body` } as const;
  const uses = [{ part: "request", operation: id }] as const;
  return compareSchemas(before, body, context).map((change) => schemaDifference(change, inBody, uses));
}

/** Compares the statuses and bodies of the responses of an operation. An unsuccessful response is an error. */
export function compareResponses([before, after]: OperationPair, context: SchemaContext): Difference[] {
  const [old, now] = [Object.keys(before.responses), Object.keys(after.responses)];
  const kept = old.filter((status) => now.includes(status));
  return [
    ...missingFrom(old, now).map((status) => wholeResponse(status, "added", after)),
    ...missingFrom(now, old).map((status) => wholeResponse(status, "removed", before)),
    ...kept.flatMap((status) => compareResponse(status, [before, after], context)),
  ];
}

function wholeResponse(status: string, change: "added" | "removed", { id, responses }: ComparedOperation): Difference {
  const body = describeSchema(responses[status] ?? {});
  const message = change === "added" ? `new status (${body})` : `status removed (${body})`;
  const inOperation = operationDifference({ id }, change, message, isSuccess(status), `status ${status}`);
  return { ...inOperation, area: areaOf(status) };
}

function compareResponse(status: string, [before, after]: OperationPair, context: SchemaContext): Difference[] {
  const { id, responses } = after;
  const part = isSuccess(status) ? "response" : "error";
  const inBody = { area: areaOf(status), subject: `${id} status ${status}` } as const;
  const changes = compareSchemas(before.responses[status] ?? {}, responses[status] ?? {}, context);
  return changes.map((change) => schemaDifference(change, inBody, [{ part, operation: id }]));
}

function areaOf(status: string): "operation" | "error" {
  return isSuccess(status) ? "operation" : "error";
}
