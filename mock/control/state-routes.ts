import type { TokenInput } from "../state/tokens.ts";
import type { ControlRoute } from "./route.ts";
import { toWire } from "./wire.ts";

/** The routes for tokens, versions, and the state as a whole. */
export const stateRoutes: readonly ControlRoute[] = [
  {
    name: "mock.about",
    method: "GET",
    path: "/about",
    does: "Shows the base addresses, the versions and the assumptions of the mock.",
    run: ({ mock }) => ({
      baseUrls: mock.baseUrls,
      versions: mock.versions,
      assumptions: toWire(mock.assumptions),
    }),
  },
  {
    name: "tokens.issue",
    method: "POST",
    path: "/tokens",
    does: "Issues a token: an organization access token with every scope, unless told otherwise.",
    status: 201,
    run: ({ mock, body }) => ({ token: mock.issueToken(body as TokenInput) }),
  },
  {
    name: "tokens.revoke",
    method: "POST",
    path: "/tokens/revoke",
    does: "Revokes the token in the field `token`.",
    run: ({ mock, body }) => mock.revokeToken(body["token"] as string),
  },
  {
    name: "versions.get",
    method: "GET",
    path: "/versions",
    does: "Shows the names of the supported versions.",
    run: ({ mock }) => mock.versions,
  },
  {
    name: "versions.release",
    method: "POST",
    path: "/release",
    does: "Makes a quarterly release, and shows which versions are supported after it.",
    run: ({ mock }) => mock.release(),
  },
  {
    name: "assumptions.get",
    method: "GET",
    path: "/assumptions",
    does: "Shows what the mock chooses where the specification leaves something open.",
    run: ({ mock }) => toWire(mock.assumptions),
  },
  {
    name: "state.reset",
    method: "POST",
    path: "/reset",
    does: "Brings back the state that the mock began with, switches faults off and empties the journal.",
    run: ({ mock }) => mock.reset(),
  },
  {
    name: "snapshots.create",
    method: "POST",
    path: "/snapshots",
    does: "Keeps the whole state under an id. The newest thousand are kept, fewer when they hold more than about 512 MiB.",
    status: 201,
    run: ({ mock, snapshots }) => ({ id: snapshots.keep(mock.snapshot()) }),
  },
  {
    name: "snapshots.list",
    method: "GET",
    path: "/snapshots",
    does: "Lists the ids of the snapshots that are kept.",
    run: ({ snapshots }) => snapshots.ids(),
  },
  {
    name: "snapshots.restore",
    method: "POST",
    path: "/snapshots/{id}/restore",
    does: "Brings back the state of a snapshot.",
    run: ({ mock, snapshots, parameters }) => mock.restore(snapshots.get(parameters["id"] as string)),
  },
  {
    name: "snapshots.delete",
    method: "DELETE",
    path: "/snapshots/{id}",
    does: "Gives a snapshot up.",
    absent: { value: false },
    run: ({ snapshots, parameters }) => snapshots.drop(parameters["id"] as string),
  },
  {
    name: "changes.since",
    method: "GET",
    path: "/changes",
    does: "Names what has changed since a revision; with `wait`, after at most so many milliseconds without a change.",
    query: ["since", "wait"],
    run: ({ changes, query, signal }) => changes.since(query["since"], query["wait"], signal),
  },
];
