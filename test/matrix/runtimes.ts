import { existsSync } from "node:fs";
import { matrixModules } from "../../scripts/install.ts";

/** A runtime on a server. */
export interface Runtime {
  readonly name: string;
  /** The path of its program; undefined on another platform than Linux. */
  readonly program: string | undefined;
  /** The arguments before the file. */
  readonly parameters: readonly string[];
}

const { arch } = process;
const bun = `@oven/bun-linux-${arch === "arm64" ? "aarch64" : arch}/bin/bun`;
const offline = ["run", "--allow-all", "--no-remote", "--node-modules-dir=manual"];

/** The oldest and the newest Node.js, and the other runtimes. All other tests run in Node.js 24. */
export const runtimes: readonly Runtime[] = [
  { name: "Node.js 22.13", program: found(`node-22-linux-${arch}/bin/node`), parameters: [] },
  { name: "Node.js 26", program: found(`node-26-linux-${arch}/bin/node`), parameters: [] },
  { name: "Bun", program: found(bun), parameters: [] },
  { name: "Deno", program: found(`@deno/linux-${arch}-glibc/deno`), parameters: offline },
];

function found(path: string): string | undefined {
  return existsSync(matrixModules + path) ? matrixModules + path : undefined;
}
