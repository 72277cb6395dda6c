import type { SnapshotOperations } from "../routes/snapshots.ts";
import type { HandlersOf } from "./handler.ts";

export const snapshotHandlers: HandlersOf<SnapshotOperations> = {
  create: (_, { mock, snapshots }) => ({ id: snapshots.add(mock.snapshot()) }),
  list: (_, { snapshots }) => snapshots.ids(),
  restore: ({ id }, { mock, snapshots }) => mock.restore(snapshots.get(id)),
  delete: ({ id }, { snapshots }) => snapshots.delete(id),
};
