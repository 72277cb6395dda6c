import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { WebhookHandler } from "../../mock/index.ts";

/** A delivery as a receiver sees it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A real HTTP receiver on this machine, which ends with the test. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** What comes in at this moment: the most that came in at once. */
  readonly mostAtOnce: number;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

const ok: Answer = (response) => response.end();

/** Starts a receiver; by default it answers 200. */
export async function receiver(answer: Answer = ok): Promise<Receiver> {
  const received: Received[] = [];
  let open = 0;
  let mostAtOnce = 0;
  const server = createServer(async (request, response) => {
    open += 1;
    mostAtOnce = Math.max(mostAtOnce, open);
    response.on("close", () => {
      open -= 1;
    });
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({
      method: String(request.method),
      path: String(request.url),
      headers: plain(request.headers),
      body,
    });
    answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  return {
    url,
    received,
    get mostAtOnce() {
      return mostAtOnce;
    },
  };
}

/** A receiver in the process, which notes what comes in; by default it answers 204. */
export function handler(answer: WebhookHandler = () => new Response(null, { status: 204 })): {
  readonly received: Received[];
  readonly handle: WebhookHandler;
} {
  const received: Received[] = [];
  const handle: WebhookHandler = async (request) => {
    const { method, headers } = request;
    const body = await request.clone().text();
    received.push({ method, path: new URL(request.url).pathname, headers: Object.fromEntries(headers), body });
    return answer(request);
  };
  return { received, handle };
}

/** The signature of a delivery by the original scheme, made without the project's own code. */
export function originalSignature({ headers, body }: Received, secret: string): string {
  const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", secret).update(text).digest("base64")}`;
}

/** The body of a delivery as JSON. */
export function json({ body }: Pick<Received, "body">): Record<string, unknown> {
  return JSON.parse(body);
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
