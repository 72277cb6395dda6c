import { existsSync } from "node:fs";
import { matrixModules } from "../../scripts/install.ts";

/** A runtime on a server. */
export interface Runtime {
  readonly name: string;
  /** The path of its program; undefined if the registry has none for this platform. */
  readonly program: string | undefined;
  /** The arguments before the file. */
  readonly parameters: readonly string[];
}

const { platform, arch } = process;
const system = platform === "win32" ? "win" : platform;
const deno = platform === "linux" ? `linux-${arch}-glibc` : `${platform}-${arch}`;
const bun = `bun-${platform === "win32" ? "windows" : platform}-${arch === "arm64" ? "aarch64" : arch}`;
const offline = ["run", "--allow-all", "--no-remote", "--node-modules-dir=manual"];

/** The oldest and the newest Node.js, and the other runtimes. All other tests run in Node.js 24. Only Linux has a package of Node.js 22.13; others use 22.14. */
export const runtimes: readonly Runtime[] = [
  { name: "Node.js 22.13", program: node("node-22"), parameters: [] },
  { name: "Node.js 26", program: node("node-26"), parameters: [] },
  { name: "Bun", program: found(`@oven/${bun}/bin/bun`), parameters: [] },
  { name: "Deno", program: found(`@deno/${deno}/deno`), parameters: offline },
];

function node(name: string): string | undefined {
  return found(`${name}-${system}-${arch}/bin/node`);
}

/** Returns the path of a program if the file exists, also with the extension of Windows. */
function found(path: string): string | undefined {
  return [`${matrixModules}${path}`, `${matrixModules}${path}.exe`].find((file) => existsSync(file));
}
