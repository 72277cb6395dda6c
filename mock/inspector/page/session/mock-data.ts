import type { ControlCall } from "../../../control/client.ts";
import type { VersionDetails } from "../../../control/rows.ts";
import type { Fault } from "../../../faults/fault.ts";
import type { RecordedRequest } from "../../../journal/requests.ts";
import type { Delivery, EmittedEvent, Organization, StoredWebhookEndpoint } from "../../../state/records.ts";

/** The parts of the mock that the page shows. */
export interface MockData {
  /** The revision of the mock that the page shows. */
  readonly revision: string;
  /** The newest requests, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** The number of all requests, including those that the journal dropped. */
  readonly requestCount: number;
  readonly faults: readonly Fault[];
  /** The supported versions, oldest first. */
  readonly versions: readonly VersionDetails[];
  /** The version that the next release adds. */
  readonly upcomingVersion: string;
  /** The time of the mock when its clock was last read, as a timestamp. */
  readonly now: string;
  /** The number of usage events. */
  readonly eventCount: number;
  readonly endpoints: readonly StoredWebhookEndpoint[];
  readonly organizations: readonly Organization[];
  readonly webhookEvents: readonly EmittedEvent[];
  readonly deliveries: readonly Delivery[];
}

/** The number of requests that the page keeps, the same as the journal of the mock. */
export const MAX_REQUESTS = 1000;

/** Reads every part of the mock; of the requests, only those that are new. */
export async function loadMockData(
  api: ControlCall,
  { requests: known = [] }: Partial<MockData>,
): Promise<Omit<MockData, "revision">> {
  const listRequests = (after: string | undefined) => api("GET /requests", { query: { after } });
  const [counts, requests, faults, overview, clock, endpoints, organizations, webhookEvents, deliveries] =
    await Promise.all([
      api("GET /counts"),
      fetchNewRequests(known, listRequests),
      api("GET /faults"),
      api("GET /versions/overview"),
      api("GET /clock"),
      api("GET /webhook-endpoints"),
      api("GET /organizations"),
      api("GET /webhooks/events"),
      api("GET /webhooks/deliveries"),
    ]);
  const { versions, upcoming: upcomingVersion } = overview;
  const { requests: requestCount, events: eventCount } = counts;
  const shared = { endpoints, organizations, webhookEvents, deliveries, faults };
  return { ...shared, requests, requestCount, eventCount, versions, upcomingVersion, now: clock.now };
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
