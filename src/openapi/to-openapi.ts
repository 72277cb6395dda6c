import { ENVIRONMENTS } from "../client/environments.ts";
import type { Contract, Operation, Schema, Security } from "../contract/index.ts";
import type {
  JsonContent,
  OpenApiDocument,
  OperationObject,
  Parameter,
  Reference,
  ResponseObject,
} from "./document.ts";
import { type Docs, describe, modelsIn, type Schemas, schemasOf } from "./schemas.ts";

/** Options for `toOpenApi`. */
export interface OpenApiOptions {
  /** Named schemas. Each that an operation or a webhook event refers to becomes a component. */
  readonly models?: Readonly<Record<string, Schema>>;
  /** The documentation of the models and their fields. */
  readonly docs?: Docs;
}

/**
 * Converts a contract to an OpenAPI 3.1 document. An operation that is based on an assumption has `x-assumption`.
 */
export function toOpenApi(contract: Contract, { models = {}, docs = {} }: OpenApiOptions = {}): OpenApiDocument {
  const schemas = described(schemasOf(contract, models), models, docs);
  const paths = pathsOf(contract, schemas);
  const events = webhookEvents(contract, schemas);
  const used = modelsIn([paths, events], schemas.components);
  return {
    openapi: "3.1.1",
    info: infoOf(contract.version),
    servers: Object.entries(ENVIRONMENTS).map(([name, url]) => ({
      url,
      description: `The ${name} environment; its address is a placeholder (G-BASE).`,
    })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas.components).filter(([name]) => used.has(name))),
      parameters: { ServiceVersion: versionParameter(contract.version) },
      headers: { ServiceVersion: versionHeader() },
      securitySchemes: contract.securitySchemes,
    },
    "x-scopes": contract.scopes,
    "x-webhook-events": events,
  };
}

function infoOf(version: string): OpenApiDocument["info"] {
  const description = `Version ${version} of the service. Request it with the header Service-Version. The default is the Current version.`;
  const license = { name: "MIT", identifier: "MIT" };
  return { title: "Billing Service API", version, description, license };
}

function described(schemas: Schemas, models: Readonly<Record<string, Schema>>, docs: Docs): Schemas {
  const names = new Map(Object.entries(models).map(([name, schema]) => [schema, name]));
  const components = Object.entries(schemas.components).map(([name, schema]) => [name, describe(schema, name, docs)]);
  return {
    components: Object.fromEntries(components),
    write: schemas.write,
    inFull: (schema) => describe(schemas.inFull(schema), names.get(schema) ?? "", docs),
  };
}

function versionParameter(version: string): OpenApiDocument["components"]["parameters"][string] {
  const description = "The version that processes the request. Defaults to the Current version.";
  return { name: "Service-Version", in: "header", required: false, description, schema: { const: version } };
}

function versionHeader(): OpenApiDocument["components"]["headers"][string] {
  return { description: "The version that processed the request.", schema: { type: "string" } };
}

function webhookEvents(contract: Contract, schemas: Schemas): OpenApiDocument["x-webhook-events"] {
  const { webhookEventTypes, webhookData } = contract;
  return Object.fromEntries(
    webhookEventTypes.map((type) => {
      const data = webhookData[type];
      return [type, data === undefined ? true : schemas.write(data)];
    }),
  );
}

const reasons: Readonly<Record<number, string>> = {
  200: "The operation succeeded.",
  201: "The operation succeeded and created a resource.",
  204: "The operation succeeded; the response has no body.",
  400: "The operation cannot process the request.",
  401: "The request has no credential that the operation accepts.",
  403: "The credential lacks a scope that the operation needs.",
  404: "The requested resource does not exist.",
  422: "The request fails validation.",
};

/** Returns the operations of a contract in OpenAPI form, by path and method. */
function pathsOf(contract: Contract, schemas: Schemas): Record<string, Record<string, OperationObject>> {
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const operation of contract.operations) {
    const method = operation.method.toLowerCase();
    paths[operation.path] = { ...paths[operation.path], [method]: write(operation, schemas) };
  }
  return paths;
}

function write(operation: Operation, schemas: Schemas): OperationObject {
  const { id, summary, assumption, security, request } = operation;
  return {
    operationId: id,
    tags: [id.slice(0, id.indexOf(":"))],
    summary,
    ...(assumption === undefined ? {} : { description: assumed(assumption), "x-assumption": assumption }),
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

function assumed(assumption: string): string {
  return `An assumption (${assumption}): the specification does not describe this operation in full, so the service may differ.`;
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
  const bodies: [string, Schema | undefined][] = [
    [String(response.status), response.body],
    ...Object.entries<Schema>({ ...failures }),
  ];
  return Object.fromEntries(bodies.map(([status, body]) => [status, responseOf(Number(status), body, schemas)]));
}

function responseOf(status: number, body: Schema | undefined, schemas: Schemas): ResponseObject {
  const headers: Record<string, Reference> = { "Service-Version": { $ref: "#/components/headers/ServiceVersion" } };
  const content = body && json(body, schemas);
  return { description: reasons[status] ?? `Status ${status}.`, headers, ...(content && { content }) };
}

function json(body: Schema, schemas: Schemas): JsonContent {
  return { "application/json": { schema: schemas.write(body) } };
}
