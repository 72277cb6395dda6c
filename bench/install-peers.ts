import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("peers/", import.meta.url));

/** Installs the packages that benchmarks compare with, as `bench/peers/package-lock.json` lists them, unless they are. */
export function installPeers(): void {
  if (existsSync(`${folder}node_modules/.package-lock.json`)) return;
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("The packages in bench/peers could not be installed; see above.");
}
