import { toRecordedRequest } from "../../journal/journal-entry.ts";
import type { RequestFilter } from "../../journal/requests.ts";
import { takePage } from "../list-page.ts";
import type { RequestOperations } from "../routes/requests.ts";
import type { HandlersOf } from "./handler.ts";

export const requestHandlers: HandlersOf<RequestOperations> = {
  list: ({ query: { limit, after = "0", ...filter } }, { mock }) => {
    const newestKnown = requestIdIn(after);
    const found = mock.requests.entries(filterFrom(filter)).filter(({ id }) => id > newestKnown);
    const rows = found.map((entry) => [String(entry.id), entry] as const);
    return takePage(rows, limit).map(toRecordedRequest);
  },
  last: ({ query }, { mock }) => mock.requests.last(filterFrom(query)),
  count: (_, { mock }) => mock.requests.count,
  clear: (_, { mock }) => mock.requests.clear(),
};

function requestIdIn(after: string): number {
  if (/^\d+$/.test(after)) return Number(after);
  throw new TypeError(`after must be the id of a request, not "${after}".`);
}

type FilterQuery = Readonly<Partial<Record<keyof RequestFilter, string>>>;

function filterFrom({ status, ...filter }: FilterQuery): RequestFilter {
  return status === undefined ? filter : { ...filter, status: Number(status) };
}
