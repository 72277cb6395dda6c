import type { Contract, Operation, Schema, Security } from "../contract/index.ts";
import type { OperationObject, Parameter, Reference, ResponseObject } from "./document.ts";
import type { Schemas } from "./schemas.ts";

const reasons: Readonly<Record<number, string>> = {
  200: "The operation succeeded.",
  201: "The operation succeeded and created a resource.",
  400: "The operation cannot process the request.",
  401: "The request has no credential that the operation accepts.",
  403: "The credential lacks a scope that the operation needs.",
  404: "The requested resource does not exist.",
  422: "The request fails validation.",
};

/** Returns the operations of a contract in OpenAPI form, by path and method. */
export function pathsOf(contract: Contract, schemas: Schemas): Record<string, Record<string, OperationObject>> {
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const operation of contract.operations) {
    const method = operation.method.toLowerCase();
    paths[operation.path] = { ...paths[operation.path], [method]: write(operation, schemas) };
  }
  return paths;
}

function write(operation: Operation, schemas: Schemas): OperationObject {
  const { id, summary, gap, security, request } = operation;
  return {
    operationId: id,
    tags: [id.slice(0, id.indexOf(":"))],
    summary,
    ...(gap === undefined ? {} : { description: assumption(gap), "x-assumption": gap }),
    security: requirements(security),
    parameters: [
      { $ref: "#/components/parameters/ServiceVersion" },
      ...parametersOf("path", request.path, schemas),
      ...parametersOf("query", request.query, schemas),
    ],
    ...(request.body === undefined ? {} : { requestBody: { required: true, content: json(request.body, schemas) } }),
    responses: responsesOf(operation, schemas),
  };
}

function assumption(gap: string): string {
  return `An assumption (${gap}): the specification does not describe this operation in full, so the service may differ.`;
}

/** Lists one alternative for each scheme and scope, since one scope is enough. */
function requirements({ schemes, scopes }: Security): Record<string, string[]>[] {
  return schemes.flatMap((scheme) =>
    scopes.length === 0 ? [{ [scheme]: [] }] : scopes.map((scope) => ({ [scheme]: [scope] })),
  );
}

function parametersOf(location: "path" | "query", schema: Schema | undefined, schemas: Schemas): Parameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemas.inFull(schema) as {
    readonly properties?: Readonly<Record<string, Parameter["schema"]>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: location,
    required: required.includes(name),
    ...(typeof description === "string" ? { description } : {}),
    schema: rest,
  }));
}

function responsesOf({ response, failures }: Operation, schemas: Schemas): Record<string, ResponseObject> {
  const bodies: [string, Schema][] = [
    [String(response.status), response.body],
    ...Object.entries<Schema>({ ...failures }),
  ];
  return Object.fromEntries(bodies.map(([status, body]) => [status, responseOf(Number(status), body, schemas)]));
}

function responseOf(status: number, body: Schema, schemas: Schemas): ResponseObject {
  const headers: Record<string, Reference> = { "Service-Version": { $ref: "#/components/headers/ServiceVersion" } };
  return { description: reasons[status] ?? `Status ${status}.`, headers, content: json(body, schemas) };
}

function json(body: Schema, schemas: Schemas): ResponseObject["content"] {
  return { "application/json": { schema: schemas.write(body) } };
}
