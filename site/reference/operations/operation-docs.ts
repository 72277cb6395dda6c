import type { Method } from "../../../src/contract/index.ts";
import type { JsonSchema, OpenApiDocument, OperationObject } from "../../../src/openapi/index.ts";
import { type BoundOperation, boundOperations } from "./bound-operations.ts";
import { type Examples, examplesOf } from "./examples.ts";
import { nameOf } from "./fields.ts";
import { SAMPLE_ID, sampleFields, sampleOf } from "./sample-of.ts";

/** A valid request to an operation. */
export interface SampleRequest {
  readonly method: Method;
  readonly path: string;
  /** The query without its question mark. */
  readonly query: string;
  /** The body as a JSON value; undefined without a body. */
  readonly body: unknown;
}

/** The facts about an operation that its page shows; all come from the contract. */
export interface OperationDocs extends BoundOperation {
  /** The operation in the OpenAPI document. */
  readonly described: OperationObject;
  /** The kinds of credentials, with their descriptions. */
  readonly credentials: readonly { readonly name: string; readonly description: string }[];
  readonly request: SampleRequest;
  /** Programs that send the request. */
  readonly examples: Examples;
}

/** Returns the documentation of every operation of a version. */
export async function operationDocs(version: string, document: OpenApiDocument): Promise<readonly OperationDocs[]> {
  const schemes = document.components.securitySchemes as Readonly<Record<string, { readonly description: string }>>;
  return (await boundOperations(version)).map((bound) => {
    const { method, path, security, response } = bound.operation;
    const described = document.paths[path]?.[method.toLowerCase() as "get"] as OperationObject;
    const credentials = security.schemes.map((name) => ({ name, description: schemes[name]?.description ?? name }));
    const schema = described.requestBody?.content["application/json"].schema;
    const values: SampleValues = {
      path: sampleFields(parametersIn(described, "path"), document),
      query: sampleFields(parametersIn(described, "query"), document),
      body: schema && (sampleOf(schema, document) as object),
    };
    const request: SampleRequest = {
      method,
      path: path.replaceAll(/\{\w+\}/g, SAMPLE_ID),
      query: new URLSearchParams({ ...values.query }).toString(),
      body: values.body,
    };
    const [model = ""] = modelsIn(bodyOf(described, response.status));
    const examples = examplesOf({ ...bound, version, request, values, model });
    return { ...bound, described, credentials, request, examples };
  });
}

/** A valid value for each part of a request. */
export type SampleValues = Readonly<{ path: object; query: object; body: object | undefined }>;

/** Returns the parameters in one location. */
export function parametersIn({ parameters }: OperationObject, location: "path" | "query") {
  return parameters.flatMap((each) => ("name" in each && each.in === location ? [each] : []));
}

/** Returns a response body's schema. */
export function bodyOf({ responses }: OperationObject, status: number): JsonSchema {
  return responses[status]?.content?.["application/json"].schema ?? {};
}

/** Returns the names of the models that a schema refers to: one, or the alternatives of a union. */
export function modelsIn(schema: JsonSchema): readonly string[] {
  if (schema["$ref"] !== undefined) return [nameOf(schema)];
  return ((schema["anyOf"] ?? schema["oneOf"] ?? []) as readonly JsonSchema[]).flatMap(modelsIn);
}
