import type { FaultInput } from "../faults/fault.ts";
import type { RequestFilter } from "../journal/requests.ts";
import { cut, PAGING } from "./list-page.ts";
import type { ControlCall, ControlRoute } from "./route.ts";

const FILTERS = ["operation", "method", "path", "status", "version"];

/** The routes for faults and for the journal. */
export const failureRoutes: readonly ControlRoute[] = [
  {
    name: "faults.add",
    method: "POST",
    path: "/faults",
    does: "Makes requests fail, as the fields say.",
    status: 201,
    run: ({ mock, body }) => mock.fault(body as FaultInput),
  },
  {
    name: "faults.list",
    method: "GET",
    path: "/faults",
    does: "Lists the faults that are switched on.",
    run: ({ mock }) => mock.faults.list(),
  },
  {
    name: "faults.remove",
    method: "DELETE",
    path: "/faults/{id}",
    does: "Switches a fault off.",
    absent: { value: false },
    run: ({ mock, parameters }) => mock.faults.remove(parameters["id"] as string),
  },
  {
    name: "faults.clear",
    method: "DELETE",
    path: "/faults",
    does: "Switches every fault off.",
    run: ({ mock }) => mock.faults.clear(),
  },
  {
    name: "requests.list",
    method: "GET",
    path: "/requests",
    does: "Lists the requests that were answered, oldest first, page by page; `after` skips those up to an id.",
    query: [...FILTERS, ...PAGING],
    run: (call) => {
      const after = afterOf(call);
      const found = call.mock.requests.list(filterOf(call)).filter(({ id }) => id > after);
      return cut(
        found.map((request) => [String(request.id), request] as const),
        call.query,
      );
    },
  },
  {
    name: "requests.last",
    method: "GET",
    path: "/requests/last",
    does: "Shows the newest request that fits.",
    query: FILTERS,
    absent: { value: undefined },
    run: (call) => call.mock.requests.last(filterOf(call)),
  },
  {
    name: "requests.count",
    method: "GET",
    path: "/requests/count",
    does: "Counts the requests that were answered since the last reset.",
    run: ({ mock }) => mock.requests.count,
  },
  {
    name: "requests.clear",
    method: "DELETE",
    path: "/requests",
    does: "Empties the journal.",
    run: ({ mock }) => mock.requests.clear(),
  },
];

function afterOf({ query: { after = "0" } }: ControlCall): number {
  if (/^\d+$/.test(after)) return Number(after);
  throw new TypeError(`after must be the id of a request, not "${after}".`);
}

function filterOf({ query: { status, after: _, limit: __, ...texts } }: ControlCall): RequestFilter {
  return status === undefined ? texts : { ...texts, status: Number(status) };
}
