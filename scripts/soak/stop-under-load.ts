import { once } from "node:events";
import { call } from "./call.ts";
import type { Report } from "./report.ts";
import { startServer } from "./server.ts";
import { halfSent } from "./slow-clients.ts";

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
