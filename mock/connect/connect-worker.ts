/*
 * The worker thread of connectMock: makes HTTP requests while the thread that started it sleeps, and receives webhook
 * deliveries. It is built into its own file and imports nothing but Node.js.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type {
  DeliveryReply,
  HttpCall,
  IncomingDelivery,
  WorkerData,
  WorkerResult,
  WorkerTask,
} from "./worker-messages.ts";

const http = process.getBuiltinModule("node:http");
const { resultCount, tasks, deliveries } = process.getBuiltinModule("node:worker_threads").workerData as WorkerData;
const agent = new http.Agent({ keepAlive: true });
const responses = new Map<number, ServerResponse>();
let deliveryCount = 0;

tasks.on("message", (task: WorkerTask) => {
  if ("call" in task) request(task.id, task.call);
  else listen(task.id);
});

deliveries.on("message", ({ id, status, headers, body }: DeliveryReply) => {
  responses.get(id)?.writeHead(status, headers).end(body);
  responses.delete(id);
});

function finish(result: WorkerResult): void {
  tasks.postMessage(result);
  Atomics.add(resultCount, 0, 1);
  Atomics.notify(resultCount, 0);
}

function request(id: number, call: HttpCall): void {
  const { url, method, headers, body, timeout } = call;
  const outgoing = http.request(url, { method, headers, agent, timeout });
  outgoing.once("timeout", () => outgoing.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })));
  const fail = ({ code, message }: NodeJS.ErrnoException) => finish({ id, failure: code ?? message });
  outgoing.once("response", (response) => {
    const status = response.statusCode ?? 0;
    const link = response.headers["link"];
    read(response).then((text) => finish({ id, status, text, link: Array.isArray(link) ? link[0] : link }), fail);
  });
  outgoing.once("error", (error: NodeJS.ErrnoException) => {
    // A server can close a pooled connection at the moment at which it is used again.
    if (outgoing.reusedSocket && error.code === "ECONNRESET") request(id, call);
    else fail(error);
  });
  outgoing.end(body);
}

async function read(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message.setEncoding("utf8")) text += chunk;
  return text;
}

function listen(id: number): void {
  const server = http.createServer(async (incoming, outgoing) => {
    const { url: path = "/", method = "POST", headers } = incoming;
    const body = await read(incoming).catch(() => undefined);
    // An incomplete delivery is ignored.
    if (body === undefined) return;
    deliveryCount += 1;
    responses.set(deliveryCount, outgoing);
    const delivery: IncomingDelivery = { id: deliveryCount, path, method, headers: singleValues(headers), body };
    deliveries.postMessage(delivery);
  });
  server.listen(0, "127.0.0.1", () => finish({ id, port: (server.address() as AddressInfo).port }));
}

function singleValues(headers: IncomingMessage["headers"]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
