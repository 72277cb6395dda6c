import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Report } from "./report.ts";

/** A `billing-mock` in a process of its own, which must never end by itself. */
export interface Soaked {
  readonly url: string;
  readonly token: string;
  readonly process: ChildProcess;
  /** Stops it in order. */
  stop(): Promise<void>;
}

const command = fileURLToPath(new URL("../../mock/cli.ts", import.meta.url));

/** Starts a server, and watches its memory and its life. */
export async function start(report: Report, args: readonly string[] = []): Promise<Soaked> {
  const child = spawn(process.execPath, [command, "--port", "0", "--json", ...args], {
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
    report.violation(`the server ended by itself: ${code ?? signal}\n${errors}`);
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

/** The memory that a process takes, in bytes; 0 where the system does not say. */
function memoryOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
