import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "./local-server.ts";
import { newFolder } from "./new-folder.ts";

/** The folders in which Debian puts the programs of each version of Postgres. */
const DEBIAN = "/usr/lib/postgresql";
const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
const postgres = versions
  .map((version) => join(DEBIAN, version, "bin"))
  .find((folder) => existsSync(join(folder, "initdb")));

/** Whether the tests that need a Postgres server run. With REQUIRE_POSTGRES they run, and fail without it. */
export const hasPostgres = process.env["REQUIRE_POSTGRES"] !== undefined || postgres !== undefined;

/** Whether the tests that need Redis run. With REQUIRE_REDIS they run, and fail without `redis-server`. */
export const hasRedis =
  process.env["REQUIRE_REDIS"] !== undefined || spawnSync("redis-server", ["--version"]).status === 0;

/** Is given a function that stops a server. */
type WhenEnded = (stop: () => Promise<void>) => void;

/** Starts Postgres on a free port of 127.0.0.1. It stops when the test ends. */
export async function startPostgres(whenEnded: WhenEnded = onTestFinished) {
  if (postgres === undefined) throw new Error(`There is no Postgres server in ${DEBIAN}: apt-get install postgresql`);
  const folder = mkdtempSync(join(tmpdir(), "billing-postgres-"));
  // Postgres does not run as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const initdb = ["-D", folder, "-U", "app", "-A", "trust", "-N"];
  const created = spawnSync(join(postgres, "initdb"), initdb, { ...user, encoding: "utf8" });
  if (created.status !== 0) throw new Error(`initdb failed: ${created.stderr}`);
  const port = await freePort();
  const options = ["-D", folder, "-p", String(port), "-h", "127.0.0.1", "-k", folder, "-c", "restart_after_crash=off"];
  const program = join(postgres, "postgres");
  // An immediate shutdown: without a checkpoint, recovered from the log at the next start.
  const server = await serverOf(folder, "SIGQUIT", () => launched(program, options, "ready to accept conn", user));
  whenEnded(server.stop);
  return { url: `postgres://app@127.0.0.1:${port}/postgres`, restart: server.restart, stop: server.stop };
}

/** Starts `redis-server` on a free port of 127.0.0.1. It writes every command to disk, and stops when the test ends. */
export async function startRedis(more: readonly string[] = [], whenEnded: WhenEnded = onTestFinished) {
  const folder = mkdtempSync(join(tmpdir(), "billing-redis-"));
  const port = await freePort();
  const place = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  const options = [...more, ...place, "--appendonly", "yes", "--appendfsync", "always"];
  const server = await serverOf(folder, "SIGKILL", () => launched("redis-server", options, "Ready to accept conn"));
  whenEnded(server.stop);
  return {
    ...server,
    url: `redis://127.0.0.1:${port}`,
    /** Lets the server hang: it keeps its connections and answers nothing. */
    freeze: () => server.signal("SIGSTOP"),
    thaw: () => server.signal("SIGCONT"),
  };
}

/** Starts a sentinel that watches a server under the name `main`, and stops it when the test ends. Returns its port. */
export async function startSentinel(url: string): Promise<number> {
  const folder = newFolder();
  const [port, config] = [await freePort(), join(folder, "sentinel.conf")];
  writeFileSync(config, `sentinel monitor main 127.0.0.1 ${new URL(url).port} 1\n`);
  const options = [config, "--sentinel", "--port", String(port), "--bind", "127.0.0.1", "--dir", folder];
  const sentinel = await launched("redis-server", options, "+monitor master");
  onTestFinished(() => stopped(sentinel, "SIGKILL"));
  return port;
}

/** Starts a server that has its data in a folder. */
async function serverOf(folder: string, stop: NodeJS.Signals, start: () => Promise<ChildProcess>) {
  let running = await start();
  return {
    signal: (signal: NodeJS.Signals) => void running.kill(signal),
    /** Ends the server at once, and starts it again on the same port with what it had written to disk. */
    restart: async () => {
      await stopped(running, stop);
      running = await start();
    },
    stop: async () => {
      await stopped(running, stop);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a program, and waits until it prints that it is ready. */
async function launched(program: string, options: readonly string[], ready: string, user: SpawnOptions = {}) {
  const running = spawn(program, options, { ...user, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    running.once("error", reject).once("exit", () => reject(new Error(`${program} has ended:\n${output}`)));
    const read = (text: Buffer) => {
      output += text;
      if (output.includes(ready)) resolve();
    };
    running.stdout.on("data", read);
    running.stderr.on("data", read);
  });
  return running;
}

async function stopped(running: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (running.exitCode !== null || running.signalCode !== null) return;
  const exited = once(running, "exit");
  running.kill(signal);
  await exited;
}
