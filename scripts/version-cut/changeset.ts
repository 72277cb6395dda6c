import { releaseDates } from "../../src/lifecycle/index.ts";
import type { Quarter } from "./quarter.ts";

/** Returns the changeset of a quarterly release. */
export function changesetOf({ removed, deprecated, current, next }: Quarter): string {
  const { earliest } = releaseDates(deprecated).removed;
  return `---
"@billing-service/sdk": major
---

Quarterly release. ${current} is Current, and its contract is frozen. ${deprecated} is Deprecated: move off it before
${earliest}. ${removed} is removed, and its import with it. ${next} is Next: it starts as a copy of ${current}, and may change
at any time. \`versions/${current}/CHANGES.md\` lists what is new.
`;
}
