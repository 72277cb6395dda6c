import type { Customer } from "../records.ts";
import { type KindOf, merge, requireOrganization, requireText, requireUuid } from "./kind.ts";
import { shapes } from "./shapes.ts";

export const customerKind: KindOf<Customer> = (state) => ({
  name: "customer",
  fields: shapes.customers,
  uuids: ["id", "organization_id"],
  key: ({ id }) => id,
  make: (given) => ({
    id: state.ids.uuid(),
    organization_id: state.defaults.organization_id,
    external_id: null,
    email: `customer-${state.tables.customers.size + 1}@example.com`,
    name: null,
    ...given,
  }),
  change: merge,
  check: ({ id, email, organization_id }) => {
    requireUuid(id, "customer");
    requireText({ email }, "customer");
    requireOrganization(organization_id, state, "customer");
  },
});
