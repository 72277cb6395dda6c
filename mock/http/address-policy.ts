import { ENVIRONMENTS } from "../../src/client/options.ts";
import { texts } from "../options/field-kinds.ts";
import type { PolicyFields } from "../options/policy-fields.ts";

/** Assumptions about the addresses of the service. */
export interface AddressPolicy {
  /** G-BASE: the base URLs of the service, in addition to any `baseUrl`. They use names reserved by RFC 2606. */
  readonly baseUrls: readonly string[];
}

export const addressDefaults: AddressPolicy = { baseUrls: Object.values(ENVIRONMENTS) };

export const addressFields: PolicyFields<AddressPolicy> = { baseUrls: texts };
