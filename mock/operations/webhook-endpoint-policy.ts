import { oneOf, orNull, status } from "../options/field-kinds.ts";
import type { PolicyFields } from "../options/policy-fields.ts";

/** Assumptions about the operations on webhook endpoints. */
export interface WebhookEndpointPolicy {
  /** G-WHE-PATHS: whether endpoints can be created and updated. */
  readonly endpointWrites: "served" | "absent";
  /** G-WHE-VER: the status for an unsupported `api_version`; null for the contract's own, 422. */
  readonly unsupportedApiVersionStatus: number | null;
  /** G-FOREIGN: reading or updating the endpoint of another organization. */
  readonly foreignEndpoint: "not-found" | "forbidden";
}

export const webhookEndpointDefaults: WebhookEndpointPolicy = {
  endpointWrites: "served",
  unsupportedApiVersionStatus: null,
  foreignEndpoint: "not-found",
};

export const webhookEndpointFields: PolicyFields<WebhookEndpointPolicy> = {
  endpointWrites: oneOf("served", "absent"),
  unsupportedApiVersionStatus: orNull(status),
  foreignEndpoint: oneOf("not-found", "forbidden"),
};
