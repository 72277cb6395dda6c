import { controlOpenApi } from "../control-openapi.ts";
import type { MockOperations } from "../routes/mock.ts";
import { toWire } from "../routes/wire.ts";
import type { HandlersOf } from "./handler.ts";

export const mockHandlers: HandlersOf<MockOperations> = {
  about: (_, { mock }) => ({
    baseUrls: mock.baseUrls,
    versions: mock.versions,
    assumptions: toWire(mock.assumptions),
  }),
  assumptions: (_, { mock }) => toWire(mock.assumptions),
  reset: (_, { mock }) => mock.reset(),
  openapi: () => controlOpenApi(),
};
