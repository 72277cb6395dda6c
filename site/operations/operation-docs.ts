import type { Method } from "../../src/contract/index.ts";
import type { JsonSchema, OpenApiDocument } from "../../src/openapi/index.ts";
import { type BoundOperation, boundOperations } from "./bound-operations.ts";
import { type Example, examplesOf } from "./examples.ts";
import type { SampleRequest } from "./sample-request.ts";

/** A status that an operation declares. */
export interface DocumentedResponse {
  readonly status: number;
  /** The names of the models that the body may be. */
  readonly models: readonly string[];
}

/** The facts about an operation that its page shows; all come from the contract. */
export interface OperationDocs {
  readonly resource: string;
  readonly method: string;
  readonly id: string;
  readonly summary: string;
  readonly httpMethod: Method;
  readonly path: string;
  /** The scopes, of which one is required. */
  readonly scopes: readonly string[];
  /** The kinds of credentials, with their descriptions. */
  readonly credentials: readonly { readonly name: string; readonly description: string }[];
  readonly responses: readonly DocumentedResponse[];
  readonly request: SampleRequest;
  readonly examples: readonly Example[];
}

/** Returns the documentation of every operation of a version. */
export async function operationDocs(version: string, document: OpenApiDocument): Promise<readonly OperationDocs[]> {
  const bound = await boundOperations(version);
  return bound.map((each) => docsOf(each, version, document));
}

function docsOf(bound: BoundOperation, version: string, document: OpenApiDocument): OperationDocs {
  const { id, method, path, summary, security } = bound.operation;
  const schemes = document.components.securitySchemes as Readonly<Record<string, { readonly description: string }>>;
  return {
    resource: bound.resource,
    method: bound.method,
    id,
    summary,
    httpMethod: method,
    path,
    scopes: security.scopes,
    credentials: security.schemes.map((name) => ({ name, description: schemes[name]?.description ?? name })),
    responses: responsesOf(bound, document),
    ...examplesOf(bound, version, document),
  };
}

function responsesOf({ operation }: BoundOperation, document: OpenApiDocument): readonly DocumentedResponse[] {
  const described = document.paths[operation.path]?.[operation.method.toLowerCase() as Lowercase<Method>]?.responses;
  return Object.entries(described ?? {}).map(([status, { content }]) => ({
    status: Number(status),
    models: modelsIn(content["application/json"].schema),
  }));
}

/** Returns the names of the models that a schema refers to: one, or the alternatives of a union. */
export function modelsIn(schema: JsonSchema): readonly string[] {
  if (typeof schema["$ref"] === "string") return [schema["$ref"].slice(schema["$ref"].lastIndexOf("/") + 1)];
  return ((schema["anyOf"] ?? schema["oneOf"] ?? []) as readonly JsonSchema[]).flatMap(modelsIn);
}
