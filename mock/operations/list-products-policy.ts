import { atLeast, oneOf } from "../options/field-kinds.ts";
import type { PolicyFields } from "../options/policy-fields.ts";

/** Assumptions about `products:list`. */
export interface ListProductsPolicy {
  /** G-PRODUCTS: whether products can be listed, and the number of products on a page. */
  readonly products: { readonly list: "served" | "absent"; readonly defaultLimit: number; readonly maxLimit: number };
}

export const listProductsDefaults: ListProductsPolicy = {
  products: { list: "served", defaultLimit: 10, maxLimit: 100 },
};

export const listProductsFields: PolicyFields<ListProductsPolicy> = {
  products: { group: { list: oneOf("served", "absent"), defaultLimit: atLeast(1), maxLimit: atLeast(1) } },
};
