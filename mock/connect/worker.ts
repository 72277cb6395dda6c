import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Arrived, Asked, Handled, Order, Report, WorkerData } from "./messages.ts";

/**
 * Runs in the worker thread: makes HTTP requests while another thread sleeps, and receives deliveries.
 *
 * It is started from its own source text, so that no bundler has to know of another file: it uses nothing but what
 * stands inside it.
 */
export function work(): void {
  const http = process.getBuiltinModule("node:http");
  const { workerData } = process.getBuiltinModule("node:worker_threads");
  const { reports, orders, arrivals } = workerData as WorkerData;
  const agent = new http.Agent({ keepAlive: true });
  const answers = new Map<number, ServerResponse>();
  let arrived = 0;

  orders.on("message", (order: Order) => {
    if ("ask" in order) ask(order.id, order.ask);
    else listen(order.id);
  });
  arrivals.on("message", ({ id, status, headers, body }: Handled) => {
    answers.get(id)?.writeHead(status, headers).end(body);
    answers.delete(id);
  });

  function report(message: Report): void {
    orders.postMessage(message);
    Atomics.add(reports, 0, 1);
    Atomics.notify(reports, 0);
  }

  function ask(id: number, asked: Asked): void {
    const { url, method, headers, body, timeout } = asked;
    const request = http.request(url, { method, headers, agent, timeout });
    request.once("timeout", () => request.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })));
    const fail = ({ code, message }: NodeJS.ErrnoException) => report({ id, failure: code ?? message });
    request.once("response", (response) => {
      const status = response.statusCode ?? 0;
      const { link } = response.headers;
      read(response).then((text) => report({ id, status, text, link: link as string | undefined }), fail);
    });
    request.once("error", (error: NodeJS.ErrnoException) => {
      // A server may close a pooled connection at the very moment at which it is used again.
      if (request.reusedSocket && error.code === "ECONNRESET") ask(id, asked);
      else fail(error);
    });
    request.end(body);
  }

  async function read(message: IncomingMessage): Promise<string> {
    let text = "";
    for await (const chunk of message.setEncoding("utf8")) text += chunk;
    return text;
  }

  function listen(id: number): void {
    const server = http.createServer(async (incoming, outgoing) => {
      const { url: path = "/", method = "POST", headers } = incoming;
      // A delivery that is broken off is none.
      const body = await read(incoming).catch(() => undefined);
      if (body === undefined) return;
      arrived += 1;
      answers.set(arrived, outgoing);
      const message: Arrived = { id: arrived, path, method, headers: headers as Arrived["headers"], body };
      arrivals.postMessage(message);
    });
    server.listen(0, "127.0.0.1", () => report({ id, port: (server.address() as AddressInfo).port }));
  }
}
