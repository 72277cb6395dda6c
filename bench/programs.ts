/** What benchmarks of whole programs share: the packages that they compare with, the compiler, and a run in a process. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../scripts/install.ts";

/** The folder of the project. */
export const root: string = fileURLToPath(new URL("..", import.meta.url));

/** Installs the packages that benchmarks compare with, as `bench/peers/package-lock.json` lists them, unless they are. */
export async function installPeers(): Promise<void> {
  const isInstalled = await install("bench/peers", "the packages that benchmarks compare with");
  if (!isInstalled) throw new Error("The packages in bench/peers could not be installed; see above.");
}

/** Returns how many milliseconds a program takes to read an endpoint from a server, without the start of Node.js. */
export function firstCallTime(file: string, url: string): number {
  return runTime(file, url) - runTime(join(root, "bench/programs/empty.js"), url);
}

/** Runs Node.js until it exits, and returns the time in milliseconds. */
function runTime(...parameters: readonly string[]): number {
  const begin = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${parameters.join(" ")} failed: ${stdout}${stderr}`);
  return performance.now() - begin;
}

/** The options of the compiler for a program in strict mode. */
const COMPILER = {
  noEmit: true,
  strict: true,
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"],
  module: "nodenext",
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
};

/** Returns how many seconds TypeScript 6 takes to check `program.ts` in a folder; throws an error unless it compiles. */
export function checkTime(folder: string, skipLibCheck: boolean): number {
  const config = join(folder, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...COMPILER, skipLibCheck }, files: ["program.ts"] }));
  return runTime(join(root, "node_modules/typescript/bin/tsc"), "-p", config) / 1000;
}
