import type { JsonSchema, OpenApiDocument, OperationObject } from "../../src/openapi/index.ts";
import { type BoundOperation, boundOperations } from "./bound-operations.ts";
import { type Examples, examplesOf } from "./examples.ts";
import { nameOf } from "./fields.ts";

/** The facts about an operation that its page shows; all come from the contract. */
export interface OperationDocs extends BoundOperation, Examples {
  /** The operation in the OpenAPI document. */
  readonly described: OperationObject;
  /** The kinds of credentials, with their descriptions. */
  readonly credentials: readonly { readonly name: string; readonly description: string }[];
}

/** Returns the documentation of every operation of a version. */
export async function operationDocs(version: string, document: OpenApiDocument): Promise<readonly OperationDocs[]> {
  const schemes = document.components.securitySchemes as Readonly<Record<string, { readonly description: string }>>;
  return (await boundOperations(version)).map((bound) => {
    const { method, path, security } = bound.operation;
    const described = document.paths[path]?.[method.toLowerCase() as "get"] as OperationObject;
    const credentials = security.schemes.map((name) => ({ name, description: schemes[name]?.description ?? name }));
    return { ...bound, described, credentials, ...examplesOf(bound, described, version, document) };
  });
}

/** Returns a response body's schema. */
export function bodyOf({ responses }: OperationObject, status: number): JsonSchema {
  return responses[status]?.content["application/json"].schema ?? {};
}

/** Returns the names of the models that a schema refers to: one, or the alternatives of a union. */
export function modelsIn(schema: JsonSchema): readonly string[] {
  if (schema["$ref"] !== undefined) return [nameOf(schema)];
  return ((schema["anyOf"] ?? schema["oneOf"] ?? []) as readonly JsonSchema[]).flatMap(modelsIn);
}
