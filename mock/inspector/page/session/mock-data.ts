import type { UsageSummary } from "../../../control/usage-counter.ts";
import type { VersionDetails, VersionsOverview } from "../../../control/versions-overview.ts";
import type { Fault } from "../../../faults/fault.ts";
import type { RecordedRequest } from "../../../journal/requests.ts";
import type { Delivery, EmittedEvent, Organization, WebhookEndpoint } from "../../../state/records.ts";
import type { ControlClient } from "./control-client.ts";

/** The parts of the mock that the page shows. */
export interface MockData {
  /** The newest requests, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** The number of all requests, including those that the journal dropped. */
  readonly requestCount: number;
  readonly faults: readonly Fault[];
  /** The supported versions, oldest first. */
  readonly versions: readonly VersionDetails[];
  /** The version that the next release adds. */
  readonly upcomingVersion: string;
  readonly usage: UsageSummary;
  readonly endpoints: readonly WebhookEndpoint[];
  readonly organizations: readonly Organization[];
  readonly webhookEvents: readonly EmittedEvent[];
  readonly deliveries: readonly Delivery[];
}

type Loader = (client: ControlClient, data: Partial<MockData>, signal: AbortSignal) => Promise<Partial<MockData>>;

const from =
  (field: keyof MockData, path: string): Loader =>
  async (client, _, signal) => ({ [field]: await client.call("GET", path, undefined, signal) });

const listFrom =
  (field: keyof MockData, path: string): Loader =>
  async (client, _, signal) => ({ [field]: await client.list(path, signal) });

const LOADERS: Readonly<Record<string, Loader>> = {
  requests: async (client, { requests = [] }, signal) => {
    const list = (query: string) => client.list<RecordedRequest>(`/requests${query}`, signal);
    const count = await client.call<number>("GET", "/requests/count", undefined, signal);
    return { requests: await fetchNewRequests(requests, list), requestCount: count };
  },
  faults: from("faults", "/faults"),
  versions: async (client, _, signal) => {
    const overview = await client.call<VersionsOverview>("GET", "/versions/overview", undefined, signal);
    return { versions: overview.versions, upcomingVersion: overview.upcoming };
  },
  events: from("usage", "/usage"),
  webhookEndpoints: listFrom("endpoints", "/webhook-endpoints"),
  organizations: listFrom("organizations", "/organizations"),
  webhookEvents: listFrom("webhookEvents", "/webhooks/events"),
  deliveries: listFrom("deliveries", "/webhooks/deliveries"),
};

/** The number of requests that the page keeps, the same as the journal of the mock. */
export const MAX_REQUESTS = 1000;

/** Returns the data with the changed parts read again. */
export async function loadMockData(
  changed: readonly string[],
  client: ControlClient,
  data: Partial<MockData>,
  signal: AbortSignal,
): Promise<Partial<MockData>> {
  const parts = await Promise.all(changed.map((part) => LOADERS[part]?.(client, data, signal)));
  return Object.assign({}, data, ...parts);
}

/**
 * Returns the known requests and those that came after them. Asks for the newest known request again: if it is missing,
 * the journal was cleared or has dropped it, and the known requests are discarded.
 */
export async function fetchNewRequests(
  known: readonly RecordedRequest[],
  list: (query: string) => Promise<readonly RecordedRequest[]>,
): Promise<readonly RecordedRequest[]> {
  const newest = known.at(-1);
  const found = await list(newest ? `?after=${newest.id - 1}` : "");
  const [first, ...more] = found;
  if (newest && first?.id === newest.id && first.at === newest.at) return [...known, ...more].slice(-MAX_REQUESTS);
  const complete = newest === undefined || (first !== undefined && first.id > newest.id);
  return complete ? found : list("");
}
