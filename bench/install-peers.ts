import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("peers/", import.meta.url));

/** Installs the packages that benchmarks compare with, as `bench/peers/package-lock.json` lists them, unless they are. */
export function installPeers(): void {
  const installed = statSync(`${folder}node_modules/.package-lock.json`, { throwIfNoEntry: false });
  if (installed && installed.mtimeMs >= statSync(`${folder}package-lock.json`).mtimeMs) return;
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("The packages in bench/peers could not be installed; see above.");
}
