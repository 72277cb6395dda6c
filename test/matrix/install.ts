import { type SpawnOptions, spawn } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const lock = `${folder}package-lock.json`;
const installedLock = `${folder}node_modules/.installed-lock.json`;

/** Where the packages are installed, with a slash at the end. */
export const matrixModules = `${folder}node_modules/`;

/** Whether everything in the lock file is installed. */
export function isInstalled(): boolean {
  return existsSync(installedLock) && readFileSync(installedLock, "utf8") === readFileSync(lock, "utf8");
}

/**
 * Installs the runtimes, bundlers, compilers and test runners of this folder, unless its lock file is unchanged since the
 * last time. Returns whether it succeeded; npm prints the reason if not.
 */
export async function install(): Promise<boolean> {
  if (isInstalled()) return true;
  console.error("Installing the runtimes and tools of test/matrix (800 MB). This happens only when its lock changes.");
  const started = performance.now();
  const status = await npmCi();
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.error(`npm ci in test/matrix ${status === 0 ? "succeeded" : "failed"} after ${seconds} s.`);
  if (status !== 0) return false;
  copyFileSync(lock, installedLock);
  return true;
}

function npmCi(): Promise<number> {
  // No package needs its script: the binaries are in packages of their own, one per platform.
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const options: SpawnOptions = { cwd: folder, stdio: ["ignore", 2, 2], shell: process.platform === "win32" };
  const child = spawn("npm", ["ci", ...flags, "--fetch-retries=1", "--fetch-timeout=60000"], options);
  process.once("exit", () => child.kill());
  return new Promise((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", (code) => resolve(code ?? 1));
  });
}
