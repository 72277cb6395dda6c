import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Report } from "./report.ts";

/** A `billing mock` in its own process. It must not exit on its own. */
export interface TestedServer {
  readonly url: string;
  readonly token: string;
  readonly process: ChildProcess;
  /** Returns the memory that its process takes, in bytes. */
  memory(): number;
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
    errors = (errors + text).slice(-5000);
  });
  const watch = setInterval(() => report.memory(memoryOf(child.pid)), 100);
  child.once("exit", (code, signal) => {
    clearInterval(watch);
    if (stopping) return;
    report.deaths += 1;
    report.violation(`the server exited unexpectedly: ${code ?? signal}\n${errors}`);
  });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { url, tokens } = JSON.parse(line) as { url: string; tokens: { oat: string } };
  const stop = async () => {
    stopping = true;
    const ended = child.exitCode === null ? once(child, "exit") : undefined;
    child.kill("SIGTERM");
    await ended;
  };
  return { url, token: tokens.oat, process: child, memory: () => memoryOf(child.pid), stop };
}

/** Returns the memory use of a process in bytes; 0 if the system does not provide it. */
function memoryOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
