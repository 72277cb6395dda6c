import { ENVIRONMENTS } from "../client/base-url.ts";
import type { Contract, Schema } from "../contract/index.ts";
import { type Docs, describe } from "./describe.ts";
import type { OpenApiDocument } from "./document.ts";
import { pathsOf } from "./operations.ts";
import { type Schemas, schemasOf } from "./schemas.ts";

/** What a document says beyond the contract. */
export interface OpenApiOptions {
  /** Schemas that get a name: each becomes a component, and is referred to wherever the contract uses it. */
  readonly models?: Readonly<Record<string, Schema>>;
  /** What the models and their fields mean. */
  readonly docs?: Docs;
}

/**
 * Prints a contract as an OpenAPI 3.1 document. Operations, parameters, credentials, statuses and bodies come from the
 * contract alone; an operation that rests on an assumption carries `x-assumption`.
 */
export function toOpenApi(contract: Contract, { models = {}, docs = {} }: OpenApiOptions = {}): OpenApiDocument {
  const schemas = described(schemasOf(contract, models), models, docs);
  return {
    openapi: "3.1.1",
    info: { title: "Billing Service API", version: contract.version, description: about(contract.version) },
    servers: Object.entries(ENVIRONMENTS).map(([name, url]) => ({
      url,
      description: `The ${name} environment; its address is an assumption (G-BASE).`,
    })),
    paths: pathsOf(contract, schemas),
    components: {
      schemas: schemas.components,
      parameters: { ServiceVersion: versionParameter(contract.version) },
      headers: { ServiceVersion: versionHeader() },
      securitySchemes: contract.securitySchemes,
    },
    "x-scopes": contract.scopes,
    "x-webhook-events": webhookEvents(contract, schemas),
  };
}

function about(version: string): string {
  return `Version ${version} of the service. A request asks for it by the header Service-Version; without the header the Current version answers.`;
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
  const description = "Chooses the version that processes the request.";
  return { name: "Service-Version", in: "header", required: true, description, schema: { const: version } };
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
