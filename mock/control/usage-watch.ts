import type { StoredEvent } from "../state/records.ts";
import type { Table } from "../state/table.ts";
import type { UsageSummary } from "./routes/usage.ts";
import { UsageCounter } from "./usage-counter.ts";

const counted = new WeakMap<Table<StoredEvent>, { readonly revision: number; readonly summary: UsageSummary }>();

/** Counts the usage events of a mock, again only after a change. */
export function usageOf(events: Table<StoredEvent>): UsageSummary {
  const { revision } = events;
  const last = counted.get(events);
  if (last?.revision === revision) return last.summary;
  const counter = new UsageCounter();
  for (const [, event] of events.entries()) counter.add(event);
  const summary = counter.summary();
  counted.set(events, { revision, summary });
  return summary;
}
