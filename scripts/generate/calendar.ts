import { releaseDates } from "../../src/lifecycle/index.ts";
import { STATES } from "./state-note.ts";

/** Returns the calendar of the versions, oldest first, as a table. A single date is the first day of the week of a release. */
export function calendarOf(versions: readonly string[]): string {
  const rows = versions.map((version, index) => {
    const { next, current, deprecated, removed } = releaseDates(version);
    const days = [next.from, current.from, deprecated.from].map(({ earliest }) => earliest);
    const removal = `${removed.earliest} to ${removed.latest.slice("YYYY-".length)}`;
    return `| ${[version, STATES[index], ...days, removal].join(" | ")} |`;
  });
  return `| version | in this package | Next from | Current from | Deprecated from | removed |
| ------- | --------------- | --------- | ------------ | --------------- | ------- |
${rows.join("\n")}`;
}
