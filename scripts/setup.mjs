// Installs the dependencies when they are missing or not those of the lock file; otherwise it does nothing.
// Plain JavaScript without imports of ours: it runs before anything is installed, on any Node.js from 20.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The packages that a lock file names, by folder; undefined when there is no such file. */
function locked(file) {
  try {
    return JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8")).packages;
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Whether everything that the lock file asks for is installed; optional packages may be absent. */
function upToDate() {
  const wanted = locked("package-lock.json") ?? {};
  const installed = locked("node_modules/.package-lock.json");
  if (installed === undefined) return false;
  return Object.entries(wanted).every(([folder, { version, optional, devOptional }]) => {
    if (folder === "") return true;
    const found = installed[folder];
    return found === undefined ? Boolean(optional || devOptional) : found.version === version;
  });
}

if (!upToDate()) {
  console.error("Installing the dependencies. This happens once, and again when they change.");
  const { status } = spawnSync("npm", ["ci", "--loglevel=error", "--no-audit", "--no-fund"], {
    cwd: new URL("..", import.meta.url),
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error("npm ci failed; its messages are above.");
    // Under `npm test` the last line counts, whatever happened.
    if (process.env.npm_lifecycle_event === "test") console.log("0 passed, 1 failed");
    process.exit(status ?? 1);
  }
}
