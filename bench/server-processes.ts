// The processes that bench/server.ts measures.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A server in its own process. */
export interface Child {
  readonly pid: number;
  readonly url: string;
  /** From the start of the process to its first response, in milliseconds. */
  readonly startMs: number;
  stop(): void;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const pinned = spawnSync("taskset", ["-c", "0", "true"]).status === 0;

/** Starts a server, and waits for its first response. */
export async function start(which: "bare" | "mock", seed: object = {}): Promise<Child> {
  const command = [process.execPath, ...(which === "bare" ? [`${root}bench/server-bare.ts`] : mockArguments(seed))];
  const [file, ...rest] = pinned ? ["taskset", "-c", "0", ...command] : command;
  const begun = performance.now();
  const child = spawn(file as string, rest, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface(child.stdout)) {
    const { url } = JSON.parse(line) as { readonly url: string };
    await fetch(`${url}/v1/webhooks/endpoints/x`).then((response) => response.text());
    const startMs = performance.now() - begun;
    return { pid: child.pid as number, url, startMs, stop: () => child.kill() };
  }
  throw new Error(`The ${which} server exited before it printed its URL.`);
}

function mockArguments(seed: object): string[] {
  const file = join(mkdtempSync(join(tmpdir(), "bench-")), "seed.json");
  writeFileSync(file, JSON.stringify(seed));
  return [`${root}dist/cli/billing.js`, "mock", "--port", "0", "--json", "--seed-data", file];
}

/** Returns a function that returns how many cores other processes have used since this call. */
export function othersSince(own: readonly number[]): () => number {
  const sum = () => own.reduce((total, pid) => total + cpuSeconds(pid), 0);
  const before = { busy: busySeconds(), own: sum(), at: performance.now() };
  return () => {
    const seconds = (performance.now() - before.at) / 1000;
    return Math.max(0, (busySeconds() - before.busy - (sum() - before.own)) / seconds);
  };
}

/** Returns the processor time of a process in seconds, over all threads; 0 if the system does not provide it. */
export function cpuSeconds(pid: number): number {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).reduce((total, thread) => total + nanosecondsOf(`${folder}/${thread}/schedstat`) / 1e9, 0);
}

function nanosecondsOf(file: string): number {
  return existsSync(file) ? Number(readFileSync(file, "utf8").split(" ")[0]) : 0;
}

function busySeconds(): number {
  if (!existsSync("/proc/stat")) return 0;
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/ +/).map(Number);
  return (user + nice + system + irq + softirq + steal) / 100;
}

/** Returns the memory use of a process in MiB. */
export function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
