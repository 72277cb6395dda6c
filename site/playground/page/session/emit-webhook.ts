import type { MockSession } from "./mock-session.ts";

/** A signed delivery that the reader can change. */
export interface EditableDelivery {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
}

/** A delivery as the mock sent it. */
export interface SentDelivery extends EditableDelivery {
  readonly secret: string;
  readonly version: string;
  /** All headers of the delivery. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The event to emit. */
export interface EventContent {
  readonly event: string;
  /** The data as JSON. */
  readonly data: string;
  /** The version of the endpoint; empty for Current. */
  readonly version: string;
  /** Whether deliveries are signed with the Standard Webhooks scheme. */
  readonly standard: boolean;
}

const URL_OF_RECEIVER = "https://playground.example/webhooks";

/**
 * Creates an endpoint in the mock, emits an event to it, and returns the delivery that the endpoint received.
 *
 * @throws TypeError if the data is not JSON, or the mock rejects the version or the data.
 */
export async function emitWebhook({ mock }: MockSession, content: EventContent): Promise<SentDelivery> {
  const data = parseData(content.data);
  const version = content.version || mock.versions.current;
  const { id, secret } = mock.webhookEndpoints.create({
    url: URL_OF_RECEIVER,
    api_version: version,
    events: [content.event],
    uses_standard_webhook_signature: content.standard,
  });
  const received = new Promise<Request>((resolve) => {
    mock.webhooks.receive(URL_OF_RECEIVER, (request) => {
      resolve(request.clone());
      return new Response(null, { status: 204 });
    });
  });
  try {
    const events = mock.webhooks.emit(content.event as never, data);
    if (!events.some((event) => event.endpoint_id === id))
      throw new TypeError("The endpoint did not receive the event.");
    return { ...(await deliveryOf(await received)), secret, version };
  } finally {
    mock.webhookEndpoints.delete(id);
  }
}

async function deliveryOf(request: Request): Promise<Omit<SentDelivery, "secret" | "version">> {
  const { headers } = request;
  const read = (name: string) => headers.get(`webhook-${name}`) ?? "";
  const body = await request.text();
  return { id: read("id"), timestamp: read("timestamp"), signature: read("signature"), body, headers: [...headers] };
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError(`The data must be JSON. ${(error as Error).message}`);
  }
}
