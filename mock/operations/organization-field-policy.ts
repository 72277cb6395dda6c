import type { SecuritySchemeName } from "../../src/contract/index.ts";
import { oneOf } from "../options/field-kinds.ts";
import type { PolicyFields } from "../options/policy-fields.ts";

/** Assumptions about `organization_id` in request bodies. */
export interface OrganizationFieldPolicy {
  /** G-EVT-ORG: `organization_id` left out, with a credential that has access to several organizations. */
  readonly ambiguousOrganization: "reject" | "first";
  /** G-EVT-ORG: `organization_id` in a request, by the kind of credential. */
  readonly organizationField: Readonly<Record<SecuritySchemeName, "optional" | "required" | "forbidden">>;
}

export const organizationFieldDefaults: OrganizationFieldPolicy = {
  ambiguousOrganization: "reject",
  organizationField: { oidc: "optional", pat: "optional", oat: "optional" },
};

const presence = oneOf("optional", "required", "forbidden");

export const organizationFieldFields: PolicyFields<OrganizationFieldPolicy> = {
  ambiguousOrganization: oneOf("reject", "first"),
  organizationField: { group: { oidc: presence, pat: presence, oat: presence } },
};
