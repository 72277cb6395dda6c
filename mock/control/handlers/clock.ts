import { formatTimestamp } from "../../state/clock.ts";
import type { ClockOperations, ClockTime } from "../routes/clock.ts";
import type { HandlersOf } from "./handler.ts";

export const clockHandlers: HandlersOf<ClockOperations> = {
  get: (_, { mock }) => clockTime(mock.clock.now()),
  advance: async ({ body }, { mock }) => clockTime(await mock.clock.advance(body)),
};

function clockTime(now: Date): ClockTime {
  return { now: formatTimestamp(now.getTime()) };
}
