import type { PlaygroundContent } from "../link.ts";
import type { MockSession, ShownMessage } from "./session.ts";

/** A signed delivery. */
export interface Delivery extends ShownMessage {
  readonly secret: string;
  readonly version: string;
}

const RECEIVER = "https://playground.example/webhooks";

/**
 * Emits an event to a new organization with one endpoint, and returns the delivery. The endpoints that the reader created
 * receive nothing, because deliveries to them would leave the page.
 *
 * @throws TypeError if the data is not JSON, or the version is not supported.
 */
export async function emit(session: MockSession, content: PlaygroundContent): Promise<Delivery> {
  const data = parseData(content.data);
  const { mock } = session;
  const supported = Object.values(mock.versions);
  const version = content.version || mock.versions.current;
  if (!supported.includes(version))
    throw new TypeError(
      `The service creates endpoints only with a supported version: ${supported.join(", ")}; received ${version}.`,
    );
  const organization = mock.organizations.create();
  const { secret } = mock.webhookEndpoints.create({
    organization_id: organization.id,
    url: RECEIVER,
    api_version: version,
    events: [content.event],
  });
  const received = new Promise<Request>((resolve) => {
    mock.webhooks.receive(RECEIVER, (request) => {
      resolve(request.clone());
      return new Response(null, { status: 204 });
    });
  });
  const events = mock.webhooks.emit(content.event as never, data, { organization });
  if (events.length === 0) throw new TypeError(`${version} does not have the event type ${content.event}.`);
  const request = await received;
  return { headers: [...request.headers], body: await request.text(), secret, version };
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError(`The data must be JSON. ${(error as Error).message}`);
  }
}

/** Changes to a delivery, by their titles. */
export const CHANGES: Readonly<Record<string, (sent: Delivery) => Delivery>> = {
  "Change the body": (sent) => ({ ...sent, body: sent.body.replace(/\}$/, ',"paid":true}') }),
  "Format the body": (sent) => ({ ...sent, body: JSON.stringify(JSON.parse(sent.body), null, 2) }),
  "Make it 10 minutes old": (sent) => withHeader(sent, "webhook-timestamp", (time) => String(Number(time) - 600)),
  "Change the signature": (sent) =>
    withHeader(sent, "webhook-signature", (value) =>
      value.replace(/,(.)/, (_, first) => (first === "A" ? ",B" : ",A")),
    ),
  Restore: (sent) => sent,
};

function withHeader(sent: Delivery, changed: string, change: (value: string) => string): Delivery {
  return {
    ...sent,
    headers: sent.headers.map(([name, value]) => [name, name === changed ? change(value) : value]),
  };
}
