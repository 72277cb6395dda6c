import type { FaultOperations } from "../routes/faults.ts";
import type { HandlersOf } from "./handler.ts";

export const faultHandlers: HandlersOf<FaultOperations> = {
  add: ({ body }, { mock }) => mock.fault(body),
  list: (_, { mock }) => mock.faults.list(),
  remove: ({ id }, { mock }) => mock.faults.remove(id),
  clear: (_, { mock }) => mock.faults.clear(),
};
