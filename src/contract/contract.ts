import type { Operation, SecuritySchemeName } from "./operation.ts";
import type { Schema } from "./schema.ts";

/** A security scheme, in the form of OpenAPI 3.1. */
export type SecurityScheme =
  | { readonly type: "openIdConnect"; readonly openIdConnectUrl: string; readonly description: string }
  | { readonly type: "http"; readonly scheme: "bearer"; readonly description: string };

/** One version of the service, described as data. */
export interface Contract {
  /** The name of the version, `YYYY-MM`. */
  readonly version: string;
  readonly operations: readonly Operation[];
  /** The names of all scopes. */
  readonly scopes: readonly string[];
  readonly securitySchemes: Readonly<Record<SecuritySchemeName, SecurityScheme>>;
  /** All webhook event types. */
  readonly webhookEventTypes: readonly string[];
  /** Schemas of the `data` of raw webhook payloads, by event type, for the types that the version describes. */
  readonly webhookData: Readonly<Record<string, Schema>>;
}
