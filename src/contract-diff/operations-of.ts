import type { JsonSchema, OpenApiDocument, OperationObject, Parameter } from "../openapi/index.ts";

/** A part of an operation that has a schema. */
export type OperationPart = "request" | "response" | "error";

/** One operation of a document, in the form in which it is compared. */
export interface ComparedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | undefined;
  /** The bodies of the responses, by status. */
  readonly responses: Readonly<Record<string, JsonSchema>>;
  readonly security: OperationObject["security"];
  /** All its schemas. */
  readonly schemas: readonly { readonly part: OperationPart; readonly schema: JsonSchema }[];
}

/** The same operation in two documents. */
export type OperationPair = readonly [before: ComparedOperation, after: ComparedOperation];

/** Lists the operations of a document. */
export function operationsOf(document: OpenApiDocument): ComparedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => read(path, method.toUpperCase(), operation, document)),
  );
}

/** Returns whether a status is that of a successful response. */
export function isSuccess(status: string): boolean {
  return status.startsWith("2");
}

function read(path: string, method: string, operation: OperationObject, document: OpenApiDocument): ComparedOperation {
  const parameters = operation.parameters.map((each) => ("$ref" in each ? sharedParameter(each.$ref, document) : each));
  const body = operation.requestBody?.content["application/json"].schema;
  const responses = responsesOf(operation);
  const schemas = [
    ...parameters.map(({ schema }) => ({ part: "request", schema }) as const),
    ...(body === undefined ? [] : [{ part: "request", schema: body } as const]),
    ...Object.entries(responses).map(
      ([status, schema]) => ({ part: isSuccess(status) ? "response" : "error", schema }) as const,
    ),
  ];
  return {
    id: operation.operationId,
    method,
    path,
    parameters,
    body,
    responses,
    security: operation.security,
    schemas,
  };
}

/** Returns a parameter of all operations, without its value: that of `Service-Version` is the version. */
function sharedParameter(reference: string, { components }: OpenApiDocument): Parameter {
  const parameter = components.parameters[reference.slice(reference.lastIndexOf("/") + 1)] as Parameter;
  const { const: _version, ...schema } = parameter.schema;
  return { ...parameter, schema };
}

function responsesOf({ responses }: OperationObject): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { content }]) => [status, content["application/json"].schema]),
  );
}
