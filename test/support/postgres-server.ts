import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "./local-server.ts";

/** The folders in which Debian puts the programs of each version. */
const DEBIAN = "/usr/lib/postgresql";
const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
const programs = versions
  .map((version) => join(DEBIAN, version, "bin"))
  .find((folder) => existsSync(join(folder, "initdb")));

/** Whether the tests that need a Postgres server run. With REQUIRE_POSTGRES they run, and fail without it. */
export const hasPostgres = process.env["REQUIRE_POSTGRES"] !== undefined || programs !== undefined;

/** Postgres does not run as root. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : { uid: undefined, gid: undefined };

/** Starts Postgres, and stops it when the test ends. */
export async function startPostgres() {
  const server = await launchPostgres();
  onTestFinished(() => server.stop());
  return server;
}

/** Starts Postgres on a free port of 127.0.0.1, outside of a test. */
export async function launchPostgres() {
  if (programs === undefined) throw new Error(`There is no Postgres server in ${DEBIAN}: apt-get install postgresql`);
  const folder = mkdtempSync(join(tmpdir(), "billing-postgres-"));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const initdb = join(programs, "initdb");
  const created = spawnSync(initdb, ["-D", folder, "-U", "app", "-A", "trust", "-N"], { ...user, encoding: "utf8" });
  if (created.status !== 0) throw new Error(`initdb failed: ${created.stderr}`);
  const port = await freePort();
  let running = await launched(programs, folder, port);
  return {
    url: `postgres://app@127.0.0.1:${port}/postgres`,
    /** Ends the server at once, as `kill -9` would for all of its processes, and starts it again. */
    restart: async () => {
      await stopped(running);
      running = await launched(programs, folder, port);
    },
    stop: async () => {
      await stopped(running);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launched(bin: string, folder: string, port: number): Promise<ChildProcess> {
  const options = ["-D", folder, "-p", String(port), "-h", "127.0.0.1", "-k", folder, "-c", "restart_after_crash=off"];
  const running = spawn(join(bin, "postgres"), options, { ...user, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    running.once("error", reject).once("exit", () => reject(new Error(`postgres has ended:\n${output}`)));
    running.stderr.on("data", (text) => {
      output += text;
      if (output.includes("ready to accept connections")) resolve();
    });
  });
  return running;
}

async function stopped(running: ChildProcess): Promise<void> {
  if (running.exitCode !== null || running.signalCode !== null) return;
  const exited = once(running, "exit");
  running.kill("SIGQUIT"); // an immediate shutdown: without a checkpoint, recovered from the log at the next start
  await exited;
}
