import type { ChangeOperations } from "../routes/changes.ts";
import type { HandlersOf } from "./handler.ts";

export const changeHandlers: HandlersOf<ChangeOperations> = {
  since: ({ query: { since, wait } }, { changes, signal }) => changes.since(since, wait, signal),
};
