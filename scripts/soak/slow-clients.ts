import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { longestWaitDuring } from "./longest-wait.ts";
import { call, type Report } from "./report.ts";
import { startServer, type TestedServer } from "./server.ts";

/** The start of the requests of slow clients. */
const BEGINNINGS = [
  "",
  "P",
  "POST /v1/events/ingest HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half",
  "POST /v1/events/ingest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{",
  'POST /__mock/users HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a',
  "GET /v1/products/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n",
  "NONSENSE\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
];

/** Opens connections that send incomplete requests, and measures how long other requests wait. */
export async function slowClients(report: Report, server: TestedServer, count: number): Promise<void> {
  const sockets = await halfSent(server, count);
  const waited = await longestWaitDuring(report, server, async () => {
    for (let drip = 0; drip < 20; drip++) {
      for (const socket of sockets) if (socket.writable && drip < 19) socket.write("x");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    for (const [index, socket] of sockets.entries()) index % 2 === 0 ? socket.destroy() : socket.resetAndDestroy();
  });
  console.log(`          ${count} slow clients, other requests waited ${Math.round(waited)} ms`);
}

/** Opens connections and sends an incomplete request on each. */
async function halfSent({ url }: TestedServer, count: number): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url);
  const open = async (index: number) => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {}).resume();
    await once(socket, "connect");
    socket.write(BEGINNINGS[index % BEGINNINGS.length] as string);
    return socket;
  };
  return Promise.all(Array.from({ length: count }, (_, index) => open(index)));
}

/** The grace time of the server, in milliseconds. */
const GRACE = 1000;
/** The maximum time until the server exits, in milliseconds. */
const LIMIT = 5000;

/** Stops a server while clients send complete and incomplete requests. It must exit in time with code 0. */
export async function stopUnderLoad(report: Report): Promise<void> {
  const server = await startServer(report, ["--grace", String(GRACE)]);
  const sockets = await halfSent(server, 16);
  let over = false;
  const clients = Array.from({ length: 8 }, async () => {
    while (!over)
      await call(report, `${server.url}/v1/products/`, { headers: { Authorization: `Bearer ${server.token}` } });
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const started = performance.now();
  const ended = once(server.process, "exit");
  const late = setTimeout(() => {
    report.violation(`SIGTERM did not stop the server within ${LIMIT} ms`);
    server.process.kill("SIGKILL");
  }, LIMIT);
  await server.stop();
  const [code] = await ended;
  clearTimeout(late);
  over = true;
  await Promise.all(clients);
  for (const socket of sockets) socket.destroy();
  console.log(`          stopped after ${Math.round(performance.now() - started)} ms with code ${code}`);
  if (code !== 0) report.violation(`the server exited after SIGTERM with code ${code}`);
}
