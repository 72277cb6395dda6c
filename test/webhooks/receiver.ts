import { createHmac } from "node:crypto";
import { EventEmitter, once } from "node:events";
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
  /** Waits until so many have come in. */
  got(count: number): Promise<void>;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

const ok: Answer = (response) => response.end();

/** Starts a receiver; by default it answers 200. */
export async function receiver(answer: Answer = ok): Promise<Receiver> {
  const received: Received[] = [];
  let open = 0;
  let mostAtOnce = 0;
  const news = new EventEmitter();
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
    news.emit("received");
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
    got: async (count) => {
      while (received.length < count) await once(news, "received");
    },
  };
}

/** A receiver in the process, which notes what comes in; by default it answers 204. */
export function handler(answer: WebhookHandler = () => new Response(null, { status: 204 })): {
  readonly received: Received[];
  readonly handle: WebhookHandler;
  /** Waits until so many have come in. */
  readonly got: (count: number) => Promise<void>;
} {
  const received: Received[] = [];
  const news = new EventEmitter();
  const handle: WebhookHandler = async (request) => {
    const { method, headers } = request;
    const body = await request.clone().text();
    received.push({ method, path: new URL(request.url).pathname, headers: Object.fromEntries(headers), body });
    news.emit("received");
    return answer(request);
  };
  const got = async (count: number): Promise<void> => {
    while (received.length < count) await once(news, "received");
  };
  return { received, handle, got };
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
