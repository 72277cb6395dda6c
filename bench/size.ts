/**
 * Prints the size of the package, and of programs that are bundled with it, beside the same with other packages:
 * `npm run bench:size`. Uses the built package. `npm run bench:start` measures how long they take to start.
 */

import { bundleSize } from "./bundle-size.ts";
import { installPeers } from "./install-peers.ts";
import { packageSize } from "./package-size.ts";

const PROGRAMS = {
  "bare fetch": "programs/fetch.js",
  "ky + zod/mini": "programs/ky-zod.js",
  "@polar-sh/sdk": "programs/polar.js",
  "the client of one version": "programs/client.js",
  "the clients of three versions": "programs/three-clients.js",
  "a receiver of webhooks": "programs/webhooks.js",
} as const;

const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

installPeers();
const { total, files, esm, commonJs } = packageSize();
console.log(`the package: ${kB(total)} in ${files} files; ES modules ${kB(esm)}, CommonJS ${kB(commonJs)}`);
for (const [name, program] of Object.entries(PROGRAMS)) {
  const { minified, gzipped } = await bundleSize(new URL(program, import.meta.url));
  console.log(`${name}: ${kB(minified)}, gzipped ${kB(gzipped)}`);
}
