import type { RecordedRequest, RequestFilter } from "../../journal/requests.ts";
import { type PageQuery, pageQuery } from "./paging.ts";
import type { RoutesOf } from "./route.ts";

/** Operations on the journal of requests. */
export interface RequestOperations {
  list(request?: { readonly query?: RequestFilter & PageQuery }): readonly RecordedRequest[];
  last(request?: { readonly query?: RequestFilter }): RecordedRequest | undefined;
  count(): number;
  clear(): void;
}

const filterQuery: Readonly<Record<keyof RequestFilter, string>> = {
  operation: "The id of the operation, for example `events:ingest`.",
  method: "The HTTP method.",
  path: "The path below the base URL.",
  status: "The status of the response.",
  version: "The version that processed the request.",
};

export const requestRoutes: RoutesOf<RequestOperations> = {
  list: {
    method: "GET",
    path: "/requests",
    summary: "Lists the requests that match every given parameter, oldest first, in pages.",
    query: { ...filterQuery, ...pageQuery },
  },
  last: {
    method: "GET",
    path: "/requests/last",
    summary: "Returns the newest request that matches every given parameter.",
    query: filterQuery,
    absent: { value: undefined },
  },
  count: {
    method: "GET",
    path: "/requests/count",
    summary: "Counts the requests since the last reset.",
  },
  clear: { method: "DELETE", path: "/requests", summary: "Clears the journal." },
};
