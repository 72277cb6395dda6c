import type { ControlCall, ResultOf } from "../../../control/client.ts";
import type { RecordedRequest } from "../../../journal/requests.ts";

/** The routes whose results every panel receives, by the name of the result. They are read whenever the mock changes. */
const PARTS = {
  about: "GET /about",
  counts: "GET /counts",
  faults: "GET /faults",
  overview: "GET /versions/overview",
  endpoints: "GET /webhook-endpoints",
  organizations: "GET /organizations",
  webhookEvents: "GET /webhooks/events",
  deliveries: "GET /webhooks/deliveries",
} as const;

type Parts = { readonly [Name in keyof typeof PARTS]: ResultOf<(typeof PARTS)[Name]> };

/** The parts of the mock that the page shows. */
export interface MockData extends Parts {
  /** The revision of the mock that the page shows. */
  readonly revision: string;
  /** The newest requests, oldest first. */
  readonly requests: readonly RecordedRequest[];
}

/** The number of requests that the page keeps, the same as the journal of the mock. */
const MAX_REQUESTS = 1000;

/** Reads every part of the mock; of the requests, only those that are new. */
export async function loadMockData(
  api: ControlCall,
  { requests: known = [] }: Partial<MockData>,
): Promise<Omit<MockData, "revision">> {
  const listRequests = (after: string | undefined) => api("GET /requests", { query: { after } });
  const parts = Object.entries(PARTS).map(async ([name, route]) => [name, await api(route)] as const);
  const [requests, ...entries] = await Promise.all([fetchNewRequests(known, listRequests), ...parts]);
  return { ...(Object.fromEntries(entries) as unknown as Parts), requests };
}

/**
 * Returns the known requests and those that came after them. Asks for the newest known request again: if it is missing,
 * the journal was cleared or has dropped it, and the known requests are discarded.
 */
export async function fetchNewRequests(
  known: readonly RecordedRequest[],
  list: (after: string | undefined) => Promise<readonly RecordedRequest[]>,
): Promise<readonly RecordedRequest[]> {
  const newest = known.at(-1);
  const found = await list(newest && String(newest.id - 1));
  const [first, ...more] = found;
  if (newest && first?.id === newest.id && first.at === newest.at) return [...known, ...more].slice(-MAX_REQUESTS);
  const complete = newest === undefined || (first !== undefined && first.id > newest.id);
  return complete ? found : list(undefined);
}
