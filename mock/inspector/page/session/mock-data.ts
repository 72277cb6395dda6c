import type { AsyncControlApi } from "../../../control/routes/client.ts";
import type { UsageSummary } from "../../../control/routes/usage.ts";
import type { VersionDetails } from "../../../control/routes/versions.ts";
import type { Fault } from "../../../faults/fault.ts";
import type { RecordedRequest } from "../../../journal/requests.ts";
import type { Delivery, EmittedEvent, Organization, StoredWebhookEndpoint } from "../../../state/records.ts";

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
  /** The time of the mock when its clock was last read, as a timestamp. */
  readonly now: string;
  readonly usage: UsageSummary;
  readonly endpoints: readonly StoredWebhookEndpoint[];
  readonly organizations: readonly Organization[];
  readonly webhookEvents: readonly EmittedEvent[];
  readonly deliveries: readonly Delivery[];
}

type Loader = (api: AsyncControlApi, data: Partial<MockData>) => Promise<Partial<MockData>>;

/** Loads the parts of the mock, by the name that the control API reports when they change. */
const LOADERS: Readonly<Record<string, Loader>> = {
  requests: async ({ requests }, data) => ({
    requests: await fetchNewRequests(data.requests ?? [], (after) => requests.list({ query: { after } })),
    requestCount: await requests.count(),
  }),
  faults: async ({ faults }) => ({ faults: await faults.list() }),
  versions: async (api) => {
    const { versions, upcoming } = await api.versions.overview();
    return { versions, upcomingVersion: upcoming };
  },
  clock: async ({ clock }) => ({ now: (await clock.get()).now }),
  events: async ({ usage }) => ({ usage: await usage.summary() }),
  webhookEndpoints: async ({ webhookEndpoints }) => ({ endpoints: await webhookEndpoints.list() }),
  organizations: async ({ organizations }) => ({ organizations: await organizations.list() }),
  webhookEvents: async ({ webhookEvents }) => ({ webhookEvents: await webhookEvents.list() }),
  deliveries: async ({ deliveries }) => ({ deliveries: await deliveries.list() }),
};

/** The number of requests that the page keeps, the same as the journal of the mock. */
export const MAX_REQUESTS = 1000;

/** Returns the data with the changed parts read again. */
export async function loadMockData(
  changed: readonly string[],
  api: AsyncControlApi,
  data: Partial<MockData>,
): Promise<Partial<MockData>> {
  const parts = await Promise.all(changed.map((part) => LOADERS[part]?.(api, data)));
  return Object.assign({}, data, ...parts);
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
