import type { User } from "../records.ts";
import { requireFit } from "./fit.ts";
import { type KindOf, merge, optional, requireOrganization, requireText, requireUuid4 } from "./kind.ts";
import { shapes } from "./shapes.ts";

export const userKind: KindOf<User> = (state, policy) => ({
  name: "user",
  fields: shapes.users,
  uuids: ["id", "organization_ids"],
  key: ({ id }) => id,
  make: (given) => ({
    id: state.ids.uuid(),
    email: `user-${state.tables.users.size + 1}@example.com`,
    avatar_url: optional("https://users.example/avatar.png", policy),
    organization_ids: [state.defaults.organization_id],
    ...given,
  }),
  change: merge,
  check: ({ id, email, organization_ids }) => {
    requireUuid4(id, "user");
    requireText({ email }, "user");
    for (const id of organization_ids) requireOrganization(id, state, "user");
  },
  fit: (user) => requireFit("user", user, state),
});
