import { releaseDates } from "../../src/lifecycle/index.ts";
import { STATES } from "./state-note.ts";

/** Returns the calendar of the versions, oldest first, as a table. A date is the first day of the week of a release. */
export function calendarOf(versions: readonly string[]): string {
  const rows = versions.map((version, index) => {
    const { next, current, deprecated, removed } = releaseDates(version);
    const days = [next.from, current.from, deprecated.from, removed].map(({ earliest }) => earliest);
    return `| ${[version, STATES[index], ...days].join(" | ")} |`;
  });
  return `| version | in this package | Next from | Current from | Deprecated from | removed from |
| ------- | --------------- | --------- | ------------ | --------------- | ------------ |
${rows.join("\n")}`;
}
