import type { ControlRoute } from "./route.ts";
import { UsageWatch } from "./usage-watch.ts";
import { versionsOverview } from "./versions-overview.ts";

/** The routes that summarize what the mock supports and what it stored. */
export const overviewRoutes: readonly ControlRoute[] = [
  {
    name: "versions.overview",
    method: "GET",
    path: "/versions/overview",
    does: "Shows the operations and the webhook event types of each supported version.",
    run: ({ mock }) => versionsOverview(mock),
  },
  {
    name: "events.usage",
    method: "GET",
    path: "/usage",
    does: "Counts the usage events by name and time, and shows the newest.",
    run: ({ mock }) => UsageWatch.of(mock.tables.events).read(),
  },
];
