import { oneOf, status } from "../options/field-kinds.ts";
import type { PolicyFields } from "../options/policy-fields.ts";

/** Assumptions about the operations on webhook endpoints. */
export interface WebhookEndpointPolicy {
  /** G-WHE-PATHS: whether endpoints can be created and updated. */
  readonly endpointWrites: "served" | "absent";
  /** G-WHE-VER: the status for an unsupported `api_version`; undefined for the contract's own, 422. */
  readonly unsupportedApiVersionStatus: number | undefined;
  /** G-FOREIGN: reading or updating the endpoint of another organization. */
  readonly foreignEndpoint: "not-found" | "forbidden";
}

export const webhookEndpointDefaults: WebhookEndpointPolicy = {
  endpointWrites: "served",
  unsupportedApiVersionStatus: undefined,
  foreignEndpoint: "not-found",
};

export const webhookEndpointFields: PolicyFields<WebhookEndpointPolicy> = {
  endpointWrites: oneOf("served", "absent"),
  unsupportedApiVersionStatus: status,
  foreignEndpoint: oneOf("not-found", "forbidden"),
};
