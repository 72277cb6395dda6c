import type { AsyncControlApi } from "../../mock/control/routes/client.ts";
import type { EmitRequest } from "../../mock/control/routes/webhooks.ts";

/** An event for one endpoint, after the first attempt to deliver it. */
export interface TriggeredEvent {
  /** The `webhook-id` of its deliveries. */
  readonly id: string;
  /** The URL of the endpoint; null if the endpoint was deleted meanwhile. */
  readonly url: string | null;
  /** The API version of the payload. */
  readonly api_version: string;
  /** `pending` means that the first attempt failed, and that the mock will retry. */
  readonly status: string;
  readonly attempts: number;
  /** The status of the last response; null if none arrived. */
  readonly response_status: number | null;
  /** The reason for a failure without a response; null otherwise. */
  readonly error: string | null;
}

/** Makes a mock emit an event, and waits until each endpoint has been called once. */
export async function emitAndWait(
  api: AsyncControlApi,
  {
    type,
    data,
    organization,
  }: { readonly type: string; readonly data: unknown; readonly organization?: string | undefined },
): Promise<readonly TriggeredEvent[]> {
  const body = { type, data, ...(organization === undefined ? {} : { organization }) } as EmitRequest;
  const emitted: unknown = await api.webhooks.emit({ body });
  if (!isEvents(emitted)) throw new Error("this server does not serve the control API of a mock. Check --url.");
  if (emitted.length > 0) await api.webhooks.idle();
  return Promise.all(emitted.map(({ id }) => read(api, id)));
}

async function read(api: AsyncControlApi, id: string): Promise<TriggeredEvent> {
  const event = await api.webhookEvents.get({ id });
  if (event === undefined) throw new Error("the mock was reset while the event was being delivered.");
  const { endpoint_id, api_version, status, attempts } = event;
  const endpoint = await api.webhookEndpoints.get({ id: endpoint_id });
  const delivery = await api.deliveries.get({ id: `${id}:${attempts}` });
  const { response_status = null, error = null } = delivery ?? {};
  return { id, url: endpoint?.url ?? null, api_version, status, attempts, response_status, error };
}

function isEvents(value: unknown): value is readonly { readonly id: string }[] {
  return Array.isArray(value) && value.every((each: unknown) => typeof Object(each).id === "string");
}
