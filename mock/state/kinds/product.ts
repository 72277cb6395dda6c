import { formatTimestamp } from "../clock.ts";
import type { StoredProduct } from "../records.ts";
import { requireFit } from "./fit.ts";
import { type KindOf, requireOrganization, requireUuid4 } from "./kind.ts";
import { shapes } from "./shapes.ts";

export const productKind: KindOf<StoredProduct> = (state) => ({
  name: "product",
  fields: shapes.products,
  uuids: ["id", "organization_id"],
  key: ({ id }) => id,
  make: (given) => ({
    id: state.ids.uuid(),
    organization_id: state.defaults.organization_id,
    created_at: formatTimestamp(state.clock.now()),
    modified_at: null,
    name: `Product ${state.tables.products.size + 1}`,
    ...given,
  }),
  change: (record, changes) =>
    ({ ...record, ...changes, modified_at: formatTimestamp(state.clock.now()) }) as StoredProduct,
  check: ({ id, organization_id }) => {
    requireUuid4(id, "product");
    requireOrganization(organization_id, state, "product");
  },
  fit: (product) => requireFit("product", product, state),
});
