import type { StoredEvent } from "../../state/records.ts";
import type { RoutesOf } from "./route.ts";

/** Operations on the usage events as a whole. */
export interface UsageOperations {
  summary(): UsageSummary;
}

/** The number of usage events with one name, in total and over time. */
export interface UsageSeries {
  readonly name: string;
  readonly count: number;
  /** The number of events per step of time, beginning at `from`. */
  readonly bars: readonly number[];
}

/** The usage events, counted by name and over time. */
export interface UsageSummary {
  readonly total: number;
  /** The start of the first bar, in milliseconds since 1970; null without events. */
  readonly from: number | null;
  /** The time that each bar covers, in seconds. */
  readonly step: number;
  /** The number of events of all names per step of time, beginning at `from`. */
  readonly bars: readonly number[];
  /** The 20 names with the most events, most frequent first. */
  readonly names: readonly UsageSeries[];
  /** The number of names not listed in `names`, and of their events. */
  readonly others: { readonly names: number; readonly count: number };
  /** The newest 100 events, newest first. */
  readonly newest: readonly StoredEvent[];
}

export const usageRoutes: RoutesOf<UsageOperations> = {
  summary: {
    method: "GET",
    path: "/usage",
    summary: "Counts the usage events by name and time, and returns the newest.",
  },
};
