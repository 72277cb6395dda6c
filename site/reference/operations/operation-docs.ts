import type { OpenApiDocument, OperationObject } from "../../../src/openapi/document.ts";
import { type BoundOperation, boundOperations } from "./bound-operations.ts";
import { type Examples, examplesOf } from "./examples.ts";
import { bodyOf, modelsIn } from "./fields.ts";
import { SAMPLE_ID, type SampleRequest, sampleValues } from "./sample-request.ts";

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
    const values = sampleValues(described, document);
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
