import type { SecuritySchemeName } from "../../src/contract/index.ts";
import { oneOf } from "../options/field-kinds.ts";
import type { PolicyFields } from "../options/policy-fields.ts";

/** The variants of the authorization lookup. */
export type AuthorizeVariant = "user" | "organization";

/** Assumptions about the authorization lookup, `oauth2:authorize`. */
export interface AuthorizePolicy {
  /** G-AUT-ORG: the variant for each kind of credential. */
  readonly authorizeVariant: Readonly<Record<SecuritySchemeName, AuthorizeVariant>>;
  /** G-AUT-ORG: whether the kind of credential chooses the variant, or `sub_type` in the query. */
  readonly authorizeSubType: "follow-credential" | "follow-query";
  /** G-AUT-QUERY: an unknown client, and an unknown scope. */
  readonly authorizeQuery: { readonly unknownClient: "reject" | "default"; readonly unknownScope: "reject" | "ignore" };
}

export const authorizeDefaults: AuthorizePolicy = {
  authorizeVariant: { oidc: "user", pat: "user", oat: "organization" },
  authorizeSubType: "follow-credential",
  authorizeQuery: { unknownClient: "reject", unknownScope: "reject" },
};

const variant = oneOf("user", "organization");

export const authorizeFields: PolicyFields<AuthorizePolicy> = {
  authorizeVariant: { group: { oidc: variant, pat: variant, oat: variant } },
  authorizeSubType: oneOf("follow-credential", "follow-query"),
  authorizeQuery: { group: { unknownClient: oneOf("reject", "default"), unknownScope: oneOf("reject", "ignore") } },
};
