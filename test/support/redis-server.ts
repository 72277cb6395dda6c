import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "./local-server.ts";
import { newFolder } from "./new-folder.ts";

/** Whether the tests that need Redis run. With REQUIRE_REDIS they run, and fail without `redis-server`. */
export const hasRedis =
  process.env["REQUIRE_REDIS"] !== undefined || spawnSync("redis-server", ["--version"]).status === 0;

/** Starts `redis-server`, which writes every command to disk, and stops it when the test ends. */
export async function startRedis(...options: string[]) {
  const server = await launchRedis(...options);
  onTestFinished(() => server.stop());
  return server;
}

/** Starts `redis-server` on a free port of 127.0.0.1, outside of a test. It writes every command to disk. */
export async function launchRedis(...options: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "billing-redis-"));
  const port = await freePort();
  let running = await startProcess(port, folder, options);
  return {
    url: `redis://127.0.0.1:${port}`,
    /** Kills the server (SIGKILL) and starts it again on the same port with what it had written to disk. */
    restart: async () => {
      await stopProcess(running);
      running = await startProcess(port, folder, options);
    },
    /** Lets the server hang: it keeps its connections and answers nothing. */
    freeze: () => void running.kill("SIGSTOP"),
    thaw: () => void running.kill("SIGCONT"),
    stop: async () => {
      await stopProcess(running);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a sentinel that watches a server under the name `main`, and stops it when the test ends. Returns its port. */
export async function startSentinel(url: string): Promise<number> {
  const folder = newFolder();
  const [port, config] = [await freePort(), join(folder, "sentinel.conf")];
  writeFileSync(config, `sentinel monitor main 127.0.0.1 ${new URL(url).port} 1\n`);
  const options = [config, "--sentinel", "--port", String(port), "--bind", "127.0.0.1", "--dir", folder];
  const sentinel = await launched(options, "+monitor master");
  onTestFinished(() => stopProcess(sentinel));
  return port;
}

type Process = ReturnType<typeof spawn>;

async function startProcess(port: number, folder: string, more: readonly string[]): Promise<Process> {
  const options = [...more, "--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  return launched([...options, "--appendonly", "yes", "--appendfsync", "always"], "Ready to accept connections");
}

/** Starts `redis-server`, and waits until it prints that it is ready. */
async function launched(options: readonly string[], ready: string): Promise<Process> {
  const running = spawn("redis-server", options, { stdio: ["ignore", "pipe", "ignore"] });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    running.once("error", reject).once("exit", () => reject(new Error(`redis-server has ended:\n${output}`)));
    running.stdout.on("data", (text) => {
      output += text;
      if (output.includes(ready)) resolve();
    });
  });
  return running;
}

async function stopProcess(running: Process): Promise<void> {
  if (running.exitCode !== null || running.signalCode !== null) return;
  running.kill("SIGKILL");
  await once(running, "exit");
}
