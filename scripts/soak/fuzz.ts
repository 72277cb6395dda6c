import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { connectMock } from "../../mock/connect.ts";
import { requestsTo } from "../../test/fuzz/arbitraries/request.ts";
import { expectDeclared } from "../../test/fuzz/declared.ts";
import { fuzzed } from "../../test/fuzz/subject.ts";
import { versionNames, versions } from "../../test/support/clients.ts";
import type { Report } from "./report.ts";

/** A `billing mock` in its own process. It must not exit on its own. */
interface TestedServer {
  readonly url: string;
  readonly process: ChildProcess;
  /** Stops the server with SIGTERM. */
  stop(): Promise<void>;
}

const command = fileURLToPath(new URL("../../cli/billing.ts", import.meta.url));

/** Starts a server, and reports its memory use and an unexpected exit. */
async function startServer(report: Report): Promise<TestedServer> {
  const child = spawn(process.execPath, [command, "mock", "--port", "0", "--json"], {
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
  const { url } = JSON.parse(line) as { url: string };
  const stop = async () => {
    stopping = true;
    const ended = child.exitCode === null ? once(child, "exit") : undefined;
    child.kill("SIGTERM");
    await ended;
  };
  return { url, process: child, stop };
}

/** Returns the memory use of a process in bytes; 0 if the system does not provide it. */
function memoryOf(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

const SUPPORTED: readonly (string | null)[] = [null, ...versionNames];
const requests = requestsTo(versionNames.map((name) => versions[name].contract));

/** Sends requests of the fuzz tests to a server until the time is over, or until the server has exited. */
export async function fuzzServer(report: Report, end: number): Promise<void> {
  const server = await startServer(report);
  while (server.process.exitCode === null && Date.now() < end) {
    await sendRequests(report, server.url, 4_000);
    report.progress(`${report.requests} requests, ${Math.max(0, Math.round((end - Date.now()) / 1000))} s left`);
  }
  await server.stop();
}

/** Sends `count` requests of the fuzz tests, sixteen at once. Every response must be declared in the contract. */
async function sendRequests(report: Report, url: string, count: number): Promise<void> {
  const mock = connectMock(url);
  await mock.reset();
  const subject = await fuzzed({ mock, fetch: globalThis.fetch, baseUrl: url });
  const seed = Math.floor(Math.random() * 2 ** 31);
  const cases = fc.sample(requests, { numRuns: count, seed });
  await atOnce(16, cases, async (request) => {
    const started = performance.now();
    try {
      const answer = await subject.send(request);
      report.answered(answer.status, performance.now() - started);
      expectDeclared(request, answer, SUPPORTED.includes(request.version));
    } catch (error) {
      report.violation(`${fc.stringify(request)}: ${error} (seed ${seed})`);
    }
  });
}

async function atOnce<Item>(width: number, items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < items.length) await work(items[next++] as Item);
  };
  await Promise.all(Array.from({ length: width }, lane));
}
