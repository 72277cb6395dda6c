import type { RoutesOf } from "./route.ts";

/** Operations on snapshots of the state. */
export interface SnapshotOperations {
  create(): { readonly id: string };
  list(): readonly string[];
  restore(request: { readonly id: string }): void;
  delete(request: { readonly id: string }): boolean;
}

export const snapshotRoutes: RoutesOf<SnapshotOperations> = {
  create: {
    method: "POST",
    path: "/snapshots",
    summary: "Saves the whole state. The newest 1,000 snapshots are kept, or fewer when they exceed about 512 MiB.",
    status: 201,
  },
  list: {
    method: "GET",
    path: "/snapshots",
    summary: "Lists the ids of the snapshots.",
  },
  restore: {
    method: "POST",
    path: "/snapshots/{id}/restore",
    summary: "Restores the state of a snapshot.",
  },
  delete: {
    method: "DELETE",
    path: "/snapshots/{id}",
    summary: "Deletes a snapshot.",
    absent: { value: false },
  },
};
