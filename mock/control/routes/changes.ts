import type { RoutesOf } from "./route.ts";

/** Operations that report changes of the mock. */
export interface ChangeOperations {
  since(request: { readonly query: ChangesQuery }): Changes;
}

/** The query parameters for reading changes. */
export interface ChangesQuery {
  readonly since?: string | undefined;
  readonly wait?: number | undefined;
}

/** The parts of the mock that changed, up to a revision. */
export interface Changes {
  /** The value to send as `since` the next time. */
  readonly revision: string;
  /** The parts of the mock that changed. */
  readonly changed: readonly string[];
}

export const changeRoutes: RoutesOf<ChangeOperations> = {
  since: {
    method: "GET",
    path: "/changes",
    summary: "Names the parts of the mock that changed since a revision.",
    query: {
      since: "The `revision` of an earlier response. Without it, or when it is unknown, every part counts as changed.",
      wait: "The maximum time to wait for a change, in milliseconds, up to 30,000; by default the response is immediate.",
    },
  },
};
