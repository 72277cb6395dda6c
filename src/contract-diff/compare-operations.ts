import type { OpenApiDocument } from "../openapi/index.ts";
import { compareRequestBodies, compareResponses } from "./compare-bodies.ts";
import { compareParameters } from "./compare-parameters.ts";
import { compareSecurity } from "./compare-security.ts";
import type { Difference } from "./difference.ts";
import { operationDifference } from "./operation-difference.ts";
import { type ComparedOperation, type OperationPair, operationsOf } from "./operations-of.ts";
import type { SchemaContext } from "./schema/compare-schemas.ts";
import { missingFrom } from "./schema/schema-change.ts";

/** Compares the operations of two documents. Operations with the same id, or the same method and path, are the same. */
export function compareOperations(
  before: OpenApiDocument,
  after: OpenApiDocument,
  context: SchemaContext,
): Difference[] {
  const [old, now] = [operationsOf(before), operationsOf(after)];
  const pairs = old.flatMap((one) => {
    const other = counterpartOf(one, now);
    return other === undefined ? [] : [[one, other] as const];
  });
  return [
    ...missingFrom(
      pairs.map(([, each]) => each),
      now,
    ).map(added),
    ...missingFrom(
      pairs.map(([each]) => each),
      old,
    ).map(removed),
    ...pairs.flatMap((pair) => comparePair(pair, context)),
  ];
}

function counterpartOf(one: ComparedOperation, list: readonly ComparedOperation[]): ComparedOperation | undefined {
  return list.find(({ id }) => id === one.id) ?? list.find((each) => routeOf(each) === routeOf(one));
}

function routeOf({ method, path }: ComparedOperation): string {
  return `${method} ${path}`;
}

function added(operation: ComparedOperation): Difference {
  return operationDifference(operation, "added", `new operation (${routeOf(operation)})`, false);
}

function removed(operation: ComparedOperation): Difference {
  return operationDifference(operation, "removed", `operation removed (${routeOf(operation)})`, true);
}

function comparePair(pair: OperationPair, context: SchemaContext): Difference[] {
  return [
    ...compareRoutes(pair),
    ...compareParameters(pair, context),
    ...compareRequestBodies(pair, context),
    ...compareResponses(pair, context),
    ...compareSecurity(pair),
  ];
}

function compareRoutes([before, after]: OperationPair): Difference[] {
  const [old, now] = [routeOf(before), routeOf(after)];
  return [
    ...(before.id === after.id ? [] : [operationDifference(after, "changed", `renamed from ${before.id}`, false)]),
    ...(old === now ? [] : [operationDifference(after, "changed", `is ${now}; it was ${old}`, true)]),
  ];
}
