import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { call, type Report } from "./report.ts";

/** A `billing mock` in its own process. It must not exit on its own. */
export interface TestedServer {
  readonly url: string;
  readonly token: string;
  readonly process: ChildProcess;
  /** Stops the server with SIGTERM. */
  stop(): Promise<void>;
}

const command = fileURLToPath(new URL("../../cli/billing.ts", import.meta.url));

/** Starts a server, and reports its memory use and an unexpected exit. */
export async function startServer(report: Report, args: readonly string[] = []): Promise<TestedServer> {
  const child = spawn(process.execPath, [command, "mock", "--port", "0", "--json", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stopping = false;
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-5_000);
  });
  const watch = setInterval(() => report.memory(memoryOf(child.pid)), 100);
  child.once("exit", (code, signal) => {
    clearInterval(watch);
    if (!stopping) report.violation(`the server exited unexpectedly: ${code ?? signal}\n${errors}`);
  });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { url, tokens } = JSON.parse(line) as { url: string; tokens: { oat: string } };
  const stop = async () => {
    stopping = true;
    const ended = child.exitCode === null ? once(child, "exit") : undefined;
    child.kill("SIGTERM");
    await ended;
  };
  return { url, token: tokens.oat, process: child, stop };
}

/** Returns the memory use of a process in bytes; 0 if the system does not provide it. */
function memoryOf(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The start of the requests of slow clients. */
const BEGINNINGS = [
  "P",
  "POST /v1/events/ingest HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{",
  'POST /__mock/users HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a',
  "NONSENSE\r\n\r\n",
];
/** The maximum time until a server with a grace of one second exits, in milliseconds. */
const LIMIT = 5_000;

/** Stops a server while clients send complete and incomplete requests. It must exit in time with code 0. */
export async function stopUnderLoad(report: Report): Promise<void> {
  const server = await startServer(report, ["--grace", "1000"]);
  const sockets = Array.from({ length: 200 }, (_, index) => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.on("error", () => {}).resume();
    socket.write(BEGINNINGS[index % BEGINNINGS.length] as string);
    return socket;
  });
  const headers = { Authorization: `Bearer ${server.token}` };
  const before = await call(report, `${server.url}/v1/products/`, { headers });
  if (before?.status !== 200) report.violation(`beside slow clients, a request got ${before?.status}`);
  let over = false;
  const clients = Array.from({ length: 8 }, async () => {
    while (!over) await call(report, `${server.url}/v1/products/`, { headers });
  });
  await sleep(300);
  const ended = once(server.process, "exit");
  const late = setTimeout(() => server.process.kill("SIGKILL"), LIMIT);
  await server.stop();
  const [code] = await ended;
  clearTimeout(late);
  over = true;
  await Promise.all(clients);
  for (const socket of sockets) socket.destroy();
  if (code !== 0) report.violation(`the server exited after SIGTERM with ${code ?? `SIGKILL after ${LIMIT} ms`}`);
}
