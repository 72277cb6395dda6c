import type { UsageOperations } from "../routes/usage.ts";
import { UsageWatch } from "../usage-watch.ts";
import type { HandlersOf } from "./handler.ts";

export const usageHandlers: HandlersOf<UsageOperations> = {
  summary: (_, { mock }) => UsageWatch.of(mock.tables.events).read(),
};
