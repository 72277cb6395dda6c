import { timestamp } from "../clock.ts";
import type { Product } from "../records.ts";
import { type KindOf, requireOrganization } from "./kind.ts";

export const productKind: KindOf<Product> = (state) => ({
  name: "product",
  key: ({ id }) => id,
  make: (given) => ({
    id: state.identity.uuid(),
    organization_id: state.defaults.organization_id,
    created_at: timestamp(state.clock()),
    modified_at: null,
    name: `Product ${state.tables.products.size + 1}`,
    ...given,
  }),
  change: (record, changes) => ({ ...record, ...changes, modified_at: timestamp(state.clock()) }) as Product,
  check: ({ organization_id }) => requireOrganization(organization_id, state, "product"),
});
