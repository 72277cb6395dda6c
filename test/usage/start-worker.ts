import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** What a worker does: it adds the events `name-from` to `name-(to - 1)`, and sends events until it is stopped. */
export interface WorkerOptions {
  readonly redisUrl: string;
  readonly serviceUrl: string;
  readonly accessToken: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** In milliseconds. */
  readonly leaseDuration: number;
  /** The timeout of a request, in milliseconds. */
  readonly timeout: number;
}

/** A process that adds and sends events. */
export interface Worker {
  /** The number of the next event to add. */
  readonly next: number;
  /** Kills the process (SIGKILL). */
  kill(): Promise<void>;
  /** Closes the buffer. Rejects if the process fails. */
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL("./redis-worker.ts", import.meta.url));

/** Starts a worker in a process that ends with the test at the latest. */
export function startWorker(options: WorkerOptions): Worker {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close") as Promise<[code: number | null]>;
  let [next, errors] = [options.from, ""];
  createInterface(child.stdout).on("line", (line) => {
    next = Number(line);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  return {
    get next() {
      return next;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
    stop: async () => {
      child.kill("SIGTERM");
      const [code] = await ended;
      if (code !== 0) throw new Error(`The worker ended with ${code}: ${errors}`);
    },
  };
}
