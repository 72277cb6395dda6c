import type { Method } from "../contract/index.ts";

/** A JSON Schema (2020-12), as used by OpenAPI 3.1. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: string;
}

/** A reference to an entry of `components`. */
export interface Reference {
  readonly $ref: string;
}

/** A JSON body. */
export type JsonContent = Readonly<Record<"application/json", { readonly schema: JsonSchema }>>;

/** A response of an operation for one status. */
export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  /** Missing if the response has no body. */
  readonly content?: JsonContent;
  /** The id of the assumption that the response is. */
  readonly "x-assumption"?: string;
}

/** A request: an operation, or the delivery of an event. */
export interface OperationObject {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: true; readonly content: JsonContent };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
  /** The id of the assumption behind the operation. */
  readonly "x-assumption"?: string;
}

/** An OpenAPI 3.1 document of one version. */
export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    /** The document's license, which is also the package's. */
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<Lowercase<Method>, OperationObject>>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly headers: Readonly<Record<string, Partial<Parameter>>>;
    readonly securitySchemes: Readonly<Record<string, JsonSchema>>;
  };
  /** The names of all scopes. */
  readonly "x-scopes": readonly string[];
  /** The deliveries of all event types, with the payload of the format `raw`. */
  readonly webhooks: Readonly<Record<string, { readonly post: OperationObject }>>;
}
