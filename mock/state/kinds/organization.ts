import type { Organization } from "../records.ts";
import { type KindOf, merge, optional, requireText } from "./kind.ts";
import { shapes } from "./shapes.ts";

export const organizationKind: KindOf<Organization> = ({ identity, tables }, assumptions) => ({
  name: "organization",
  fields: shapes.organizations,
  key: ({ id }) => id,
  make: (given) => {
    const slug = given.slug ?? `organization-${tables.organizations.size + 1}`;
    const picture = optional(`https://organizations.example/${slug}.png`, assumptions);
    return { id: identity.uuid(), slug, name: "Test Organization", avatar_url: picture, ...given };
  },
  change: merge,
  check: ({ id, slug, name }) => requireText({ id, slug, name }, "organization"),
});
