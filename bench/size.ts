/**
 * Prints the size of programs that are bundled for browsers, beside the same with other packages, and of the package:
 * `npm run bench -- size`. Builds the package first. `npm run bench -- start` measures how long they take to start.
 */
import { build } from "../scripts/build.ts";
import { bundleSize, packageSize } from "../scripts/measure-size.ts";
import { compare } from "./harness.ts";
import { installPeers } from "./programs.ts";

const PROGRAMS = {
  "ky + zod/mini": "ky-zod.js",
  "bare fetch": "fetch.js",
  "openapi-fetch": "openapi-fetch.js",
  "@polar-sh/sdk": "polar.js",
  "this client, of one version": "client.js",
  "this client, of three versions": "three-clients.js",
  "a receiver of webhooks": "webhooks.js",
} as const;

const bundle = (program: string) => async () => {
  const { minified, gzipped } = await bundleSize(new URL(`programs/${program}`, import.meta.url));
  return [gzipped / 1000, minified / 1000];
};

await build({ types: true });
await installPeers();
await compare({
  rounds: 1,
  metrics: [
    { title: "a bundle, minified and gzipped", unit: "kB" },
    { title: "a bundle, minified", unit: "kB" },
  ],
  cases: Object.fromEntries(Object.entries(PROGRAMS).map(([name, program]) => [name, bundle(program)])),
});
const { total, files, esm, commonJs } = packageSize();
await compare({
  rounds: 1,
  metrics: [{ title: `the package, ${files} files`, unit: "kB" }],
  cases: {
    "all files": () => [total / 1000],
    "ES modules": () => [esm / 1000],
    "CommonJS modules": () => [commonJs / 1000],
  },
});
