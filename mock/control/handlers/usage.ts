import type { UsageOperations } from "../routes/usage.ts";
import { usageOf } from "../usage-watch.ts";
import type { HandlersOf } from "./handler.ts";

export const usageHandlers: HandlersOf<UsageOperations> = {
  summary: (_, { mock }) => usageOf(mock.tables.events),
};
