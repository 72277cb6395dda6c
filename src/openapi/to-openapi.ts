import { ENVIRONMENTS } from "../client/environments.ts";
import type { Contract, Operation, Schema, Security } from "../contract/index.ts";
import type {
  HeaderObject,
  JsonContent,
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  Parameter,
  Reference,
  ResponseObject,
} from "./document.ts";
import { type Docs, describe, modelsIn, type Schemas, schemasOf } from "./schemas.ts";
import { webhookParameters, webhooksOf } from "./webhooks.ts";

/** Options for `toOpenApi`. */
export interface OpenApiOptions {
  /** Named schemas. Each that an operation or a webhook event refers to becomes a component. */
  readonly models?: Readonly<Record<string, Schema>>;
  /** The documentation of the models and their fields. */
  readonly docs?: Docs;
}

/** Converts a contract to an OpenAPI 3.1 document. What is based on an assumption has `x-assumption`. */
export function toOpenApi(contract: Contract, { models = {}, docs = {} }: OpenApiOptions = {}): OpenApiDocument {
  const schemas = described(schemasOf(contract, models), models, docs);
  const { version } = contract;
  const paths = pathsOf(contract, schemas);
  const webhooks = webhooksOf(contract, schemas);
  const used = modelsIn([paths, webhooks], schemas.components);
  return {
    openapi: "3.1.1",
    info: infoOf(version),
    servers: Object.entries(ENVIRONMENTS).map(([name, url]) => ({
      url,
      description: `The ${name} environment; its address is a placeholder (G-BASE).`,
    })),
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(
        Object.entries(schemas.components)
          .filter(([name]) => used.has(name))
          .map(([name, schema]) => [name, withVersionExample(schema, version)]),
      ),
      parameters: { ServiceVersion: versionParameter(version), ...webhookParameters(version) },
      responses: SHARED_RESPONSES,
      headers: { ServiceVersion: versionHeader(version), RetryAfter: RETRY_AFTER },
      securitySchemes: contract.securitySchemes,
    },
    "x-scopes": contract.scopes,
  };
}

function infoOf(version: string): OpenApiDocument["info"] {
  const description = `Version ${version} of the service. Request it with the header Service-Version; without it, the service uses the Current version.`;
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

/** Adds the version as an example of `api_version`, so that a mock made of the document returns one. */
function withVersionExample(schema: JsonSchema, version: string): JsonSchema {
  const field = (schema["properties"] as Record<string, JsonSchema> | undefined)?.["api_version"];
  if (field === undefined) return schema;
  return { ...schema, properties: { ...Object(schema["properties"]), api_version: { ...field, examples: [version] } } };
}

/** Requires the header that the service does not require, so that a generated client sends the version it was generated for. */
function versionParameter(version: string): Parameter {
  const description = "The version that processes the request.";
  const schema = { type: "string", const: version, default: version };
  return { name: "Service-Version", in: "header", required: true, description, schema, example: version };
}

function versionHeader(version: string): HeaderObject {
  const schema = { type: "string", const: version, default: version };
  return { description: "The version that processed the request.", required: true, schema, example: version };
}

const RETRY_AFTER: HeaderObject = {
  description: "The seconds to wait before the next request.",
  schema: { type: "integer" },
  example: 1,
};

const VERSION_HEADER: Readonly<Record<string, Reference>> = {
  "Service-Version": { $ref: "#/components/headers/ServiceVersion" },
};

/** Responses of every operation that its contract does not declare. */
const SHARED_RESPONSES: Readonly<Record<string, ResponseObject>> = {
  TooLarge: { description: "The body of the request is too large.", headers: VERSION_HEADER, "x-assumption": "G-413" },
  TooManyRequests: {
    description: "The caller has sent too many requests.",
    headers: { ...VERSION_HEADER, "Retry-After": { $ref: "#/components/headers/RetryAfter" } },
    "x-assumption": "G-RATE",
  },
  Unexpected: { description: "Another error, for example of a proxy or a gateway." },
};

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

/** The assumptions about the bodies of error responses, by status. */
const ASSUMED: Readonly<Record<number, string>> = { 400: "G-AUT-QUERY", 401: "G-401", 403: "G-403" };

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

function responsesOf({ response, failures }: Operation, schemas: Schemas): OperationObject["responses"] {
  const bodies: [string, Schema | undefined][] = [
    [String(response.status), response.body],
    ...Object.entries<Schema>({ ...failures }),
  ];
  return {
    ...Object.fromEntries(bodies.map(([status, body]) => [status, responseOf(Number(status), body, schemas)])),
    413: { $ref: "#/components/responses/TooLarge" },
    429: { $ref: "#/components/responses/TooManyRequests" },
    default: { $ref: "#/components/responses/Unexpected" },
  };
}

function responseOf(status: number, body: Schema | undefined, schemas: Schemas): ResponseObject {
  const assumption = ASSUMED[status];
  return {
    description: reasons[status] ?? `Status ${status}.`,
    headers: VERSION_HEADER,
    ...(body && { content: json(body, schemas) }),
    ...(assumption === undefined ? {} : { "x-assumption": assumption }),
  };
}

function json(body: Schema, schemas: Schemas): JsonContent {
  return { "application/json": { schema: schemas.write(body) } };
}
