import { ENVIRONMENTS } from "../client/base-url.ts";
import type { Contract, Schema } from "../contract/index.ts";
import { type Docs, describe } from "./describe.ts";
import type { OpenApiDocument } from "./document.ts";
import { pathsOf } from "./operations.ts";
import { type Schemas, schemasOf } from "./schemas.ts";
import { usedSchemas } from "./used-schemas.ts";

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
  return {
    openapi: "3.1.1",
    info: infoOf(contract.version),
    servers: Object.entries(ENVIRONMENTS).map(([name, url]) => ({
      url,
      description: `The ${name} environment; its address is a placeholder (G-BASE).`,
    })),
    paths,
    components: {
      schemas: usedSchemas(schemas.components, [paths, events]),
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
