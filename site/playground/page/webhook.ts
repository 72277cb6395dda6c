import type { PlaygroundContent } from "../link.ts";
import type { MockSession } from "./session.ts";

/** A signed delivery. */
export interface Delivery {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly secret: string;
  readonly version: string;
}

const URL_OF_RECEIVER = "https://playground.example/webhooks";

/**
 * Creates an endpoint in the mock, emits an event to it, and returns the delivery that the endpoint received.
 *
 * @throws TypeError if the data is not JSON, or the version is not supported.
 */
export async function emit(session: MockSession, content: PlaygroundContent): Promise<Delivery> {
  const data = parseData(content.data);
  const { mock } = session;
  const version = content.version || mock.versions.current;
  if (["Removed", "Unknown"].includes(session.stateOf(version))) {
    const supported = Object.values(mock.versions).join(", ");
    throw new TypeError(
      `The service creates endpoints only with a supported version: ${supported}; received ${version}.`,
    );
  }
  const { id, secret } = mock.webhookEndpoints.create({
    url: URL_OF_RECEIVER,
    api_version: version,
    events: [content.event],
  });
  // No delivery leaves the page, not even to an endpoint that the reader created.
  for (const { url } of mock.webhookEndpoints.list())
    mock.webhooks.receive(url, () => new Response(null, { status: 204 }));
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
    const request = await received;
    return { headers: [...request.headers], body: await request.text(), secret, version };
  } finally {
    mock.webhookEndpoints.delete(id);
  }
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError(`The data must be JSON. ${(error as Error).message}`);
  }
}

/** The changes to a delivery that the page offers. */
export const changes: readonly { readonly title: string; readonly change: (sent: Delivery) => Delivery }[] = [
  { title: "Change the body", change: (sent) => ({ ...sent, body: sent.body.replace(/\}$/, ',"paid":true}') }) },
  { title: "Format the body", change: (sent) => ({ ...sent, body: JSON.stringify(JSON.parse(sent.body), null, 2) }) },
  {
    title: "Make it 10 minutes old",
    change: (sent) => withHeader(sent, "webhook-timestamp", (time) => String(Number(time) - 600)),
  },
  {
    title: "Change the signature",
    change: (sent) =>
      withHeader(sent, "webhook-signature", (value) =>
        value.replace(/,(.)/, (_, first) => (first === "A" ? ",B" : ",A")),
      ),
  },
  { title: "Restore", change: (sent) => sent },
];

function withHeader(sent: Delivery, changed: string, change: (value: string) => string): Delivery {
  const headers = sent.headers.map(([name, value]) => [name, name === changed ? change(value) : value] as const);
  return { ...sent, headers };
}
