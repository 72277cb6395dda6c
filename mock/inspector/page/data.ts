import type { Fault } from "../../faults/fault.ts";
import type { RecordedRequest } from "../../journal/journal.ts";
import type { Organization, WebhookEndpoint } from "../../state/records.ts";
import type { Delivery, EmittedEvent } from "../../webhooks/webhooks.ts";
import type { Offer } from "../routes.ts";
import type { Usage } from "../tally.ts";
import type { Api } from "./api.ts";

/** What the page shows of the mock. */
export interface Data {
  /** The requests that the server keeps, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** How many requests there were; also those that are kept no longer. */
  readonly requestCount: number;
  readonly faults: readonly Fault[];
  readonly offer: Offer;
  readonly usage: Usage;
  readonly endpoints: readonly WebhookEndpoint[];
  readonly organizations: readonly Organization[];
  readonly webhookEvents: readonly EmittedEvent[];
  readonly deliveries: readonly Delivery[];
}

type Loader = (api: Api, data: Partial<Data>, signal: AbortSignal) => Promise<Partial<Data>>;

const from =
  (field: keyof Data, path: string): Loader =>
  async (api, _, signal) => ({ [field]: await api.call("GET", path, undefined, signal) });

const listFrom =
  (field: keyof Data, path: string): Loader =>
  async (api, _, signal) => ({ [field]: await api.list(path, signal) });

const LOADERS: Readonly<Record<string, Loader>> = {
  requests: async (api, { requests = [] }, signal) => {
    const list = (query: string) => api.list<RecordedRequest>(`/requests${query}`, signal);
    const count = await api.call<number>("GET", "/requests/count", undefined, signal);
    return { requests: await following(requests, list), requestCount: count };
  },
  faults: from("faults", "/faults"),
  versions: from("offer", "/versions/offer"),
  events: from("usage", "/usage"),
  webhookEndpoints: listFrom("endpoints", "/webhook-endpoints"),
  organizations: listFrom("organizations", "/organizations"),
  webhookEvents: listFrom("webhookEvents", "/webhooks/events"),
  deliveries: listFrom("deliveries", "/webhooks/deliveries"),
};

/** How many requests the page keeps: as many as the server does. */
export const MAX_REQUESTS = 1000;

/** Reads the parts of the mock that have changed. */
export async function load(
  changed: readonly string[],
  api: Api,
  data: Partial<Data>,
  signal: AbortSignal,
): Promise<Partial<Data>> {
  const parts = await Promise.all(changed.map((part) => LOADERS[part]?.(api, data, signal)));
  return Object.assign({}, data, ...parts);
}

/**
 * The requests that are known, and those that came after them. The newest one that is known is asked for once more: where
 * it is gone, the journal was emptied or has moved on, and none of those that are known is kept any longer.
 */
export async function following(
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
