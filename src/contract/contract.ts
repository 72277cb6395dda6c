import type { Operation, Schema, SecuritySchemeName } from "./operation.ts";

/** How a security scheme is described in OpenAPI 3.1. */
export type SecurityScheme =
  | { readonly type: "openIdConnect"; readonly openIdConnectUrl: string; readonly description: string }
  | { readonly type: "http"; readonly scheme: "bearer"; readonly description: string };

/** Everything that one version of the service promises, as data. */
export interface Contract {
  /** The version's name, `YYYY-MM`. */
  readonly version: string;
  readonly operations: readonly Operation[];
  /** Every scope name of the version. */
  readonly scopes: readonly string[];
  readonly securitySchemes: Readonly<Record<SecuritySchemeName, SecurityScheme>>;
  /** Every webhook event type of the version. */
  readonly webhookEventTypes: readonly string[];
  /** What the `data` of a raw webhook payload holds, by event type, for the types that the version describes. */
  readonly webhookData: Readonly<Record<string, Schema>>;
}
