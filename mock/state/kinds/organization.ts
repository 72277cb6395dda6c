import type { Organization } from "../records.ts";
import { requireFit } from "./fit.ts";
import { type KindOf, merge, optional, requireText, requireUuid4 } from "./kind.ts";
import { shapes } from "./shapes.ts";

export const organizationKind: KindOf<Organization> = (state, policy) => ({
  name: "organization",
  fields: shapes.organizations,
  uuids: ["id"],
  key: ({ id }) => id,
  make: (given) => {
    const slug = given.slug ?? `organization-${state.tables.organizations.size + 1}`;
    const picture = optional(`https://organizations.example/${slug}.png`, policy);
    return { id: state.ids.uuid(), slug, name: "Test Organization", avatar_url: picture, ...given };
  },
  change: merge,
  check: ({ id, slug, name }) => {
    requireUuid4(id, "organization");
    requireText({ slug, name }, "organization");
  },
  fit: (organization) => requireFit("organization", organization, state),
});
