/** What benchmarks of whole programs share: the packages that they compare with, and a run in a process. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../scripts/install.ts";
import { PUBLISHED } from "../scripts/measure-size.ts";

/** The folder of the project. */
export const root: string = fileURLToPath(new URL("..", import.meta.url));

/** Installs the packages that benchmarks compare with, as `bench/peers/package-lock.json` lists them, unless they are. */
export async function installPeers(): Promise<void> {
  const isInstalled = await install("bench/peers", "the packages that benchmarks compare with");
  if (!isInstalled) throw new Error("The packages in bench/peers could not be installed; see above.");
}

/** Returns how many milliseconds a program takes to read an endpoint from a server, without the start of Node.js. */
export function firstCallTime(file: string, url: string): number {
  return runTime(file, url) - runTime("empty.js", url);
}

/** Runs a program of bench/programs with the built package until it exits, and returns the time in milliseconds. */
function runTime(file: string, url: string): number {
  const text = readFileSync(join(root, "bench/programs", file), "utf8");
  const program = text.replace(/"(#\w+)/g, (_, state) => `"${PUBLISHED[state]}`);
  const type = `--input-type=${file.endsWith(".cjs") ? "commonjs" : "module"}`;
  const begin = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [type, "--eval", program, "program", url], {
    cwd: join(root, "bench/programs"),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${file} failed: ${stdout}${stderr}`);
  return performance.now() - begin;
}
