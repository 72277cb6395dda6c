import { type SpawnOptions, spawn } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Returns the folder with a folder's installed packages, with a slash at the end. */
export function modulesOf(folder: string): string {
  return `${root}${folder}/node_modules/`;
}

/** Returns whether everything in a folder's lock file is installed. */
export function isInstalled(folder: string): boolean {
  const installed = installedLock(folder);
  return existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(lockOf(folder), "utf8");
}

/**
 * Installs the packages of a folder that has its own lock file, unless that is unchanged since the last time. Returns whether
 * it succeeded; npm prints the reason if not.
 */
export async function install(folder: string, what: string): Promise<boolean> {
  if (isInstalled(folder)) return true;
  console.error(`Installing ${what}. This happens only when ${folder}'s lock file changes.`);
  const started = performance.now();
  const status = await npmCi(folder);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.error(`npm ci in ${folder} ${status === 0 ? "succeeded" : "failed"} after ${seconds} s.`);
  if (status !== 0) return false;
  copyFileSync(lockOf(folder), installedLock(folder));
  return true;
}

const lockOf = (folder: string) => `${root}${folder}/package-lock.json`;
const installedLock = (folder: string) => `${modulesOf(folder)}.installed-lock.json`;

function npmCi(folder: string): Promise<number> {
  // No package needs its script: the binaries are in separate packages, one per platform.
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const options: SpawnOptions = { cwd: root + folder, stdio: ["ignore", 2, 2], shell: process.platform === "win32" };
  const child = spawn("npm", ["ci", ...flags, "--fetch-retries=1", "--fetch-timeout=60000"], options);
  process.once("exit", () => child.kill());
  return new Promise((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", (code) => resolve(code ?? 1));
  });
}

const MATRIX = "test/matrix";

/** Where the packages of test/matrix are installed, with a slash at the end. */
export const matrixModules: string = modulesOf(MATRIX);

/** Returns whether everything in the lock file of test/matrix is installed. */
export const isMatrixInstalled = (): boolean => isInstalled(MATRIX);

/** Installs the runtimes, bundlers, compilers and test runners of test/matrix. Returns whether it succeeded. */
export const installMatrix = (): Promise<boolean> => install(MATRIX, "the runtimes and tools of test/matrix (1 GB)");
