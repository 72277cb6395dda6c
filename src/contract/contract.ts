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

const frozen = new WeakSet<object>();

/** Returns a copy of a contract that cannot be changed. Its schemas are shared. */
export function frozenContract(contract: Contract): Contract {
  if (frozen.has(contract)) return contract;
  const copy = frozenCopy(contract);
  frozen.add(copy);
  return copy;
}

function frozenCopy<Value>(value: Value): Value;
function frozenCopy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenCopy<unknown>(item)));
  if (typeof value !== "object" || value === null || "~standard" in value) return value;
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, part]) => [name, frozenCopy(part)])));
}
