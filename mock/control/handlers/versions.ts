import type { VersionOperations } from "../routes/versions.ts";
import { versionsOverview } from "../versions-overview.ts";
import type { HandlersOf } from "./handler.ts";

export const versionHandlers: HandlersOf<VersionOperations> = {
  get: (_, { mock }) => mock.versions,
  overview: (_, { mock }) => versionsOverview(mock),
  release: (_, { mock }) => mock.release(),
};
