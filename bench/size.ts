/**
 * Measures the bundle size and the load time in Node.js of a program that reads one endpoint: `npm run bench:size`.
 * Compares it to a program that does the same with only ky and zod/mini. Uses the built package.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const STARTS = 15;

const programs: Readonly<Record<string, string>> = {
  "ky + zod/mini": `
    import ky from "ky";
    import * as z from "zod/mini";
    const Endpoint = z.object({ id: z.uuidv4(), url: z.string(), enabled: z.boolean() });
    globalThis.read = async (id) => Endpoint.parse(await ky.get("https://a.example/" + id).json());
  `,
  "the client of one version": `
    import { createClient } from "@billing-service/sdk/2025-01";
    const billing = createClient({ accessToken: "token-of-some-length" });
    globalThis.read = (id) => billing.webhooks.getEndpoint(id);
  `,
  "a receiver of webhooks": `
    import { createWebhookHandler } from "@billing-service/sdk/2025-01/webhooks";
    globalThis.handle = createWebhookHandler({ secret: "whsec_of-some-length", on: { "*": () => undefined } });
  `,
  "the clients of three versions": ["2024-10", "2025-01", "2025-04"]
    .map(
      (version, i) => `
    import { createClient as create${i} } from "@billing-service/sdk/${version}";
    globalThis.read${i} = (id) => create${i}({ accessToken: "token-of-some-length" }).webhooks.getEndpoint(id);
  `,
    )
    .join(""),
};

/** Returns the minified and the gzipped size, in kB (1000 bytes). */
async function sizes(program: string): Promise<readonly [number, number]> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    legalComments: "none",
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  return [code.length / 1000, gzipSync(code, { level: 9 }).length / 1000];
}

/** Returns the run time of a process, in milliseconds. */
function start(file: string): number {
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - begin;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Returns the median run time of each program. Runs them in turns, so that changes in machine speed affect all. */
function loadTimes(files: Readonly<Record<string, string>>): Record<string, number> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(files).map((name) => [name, []]));
  for (let i = 0; i <= STARTS; i++) {
    for (const [name, file] of Object.entries(files)) {
      const time = start(file);
      if (i > 0) times[name]?.push(time);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
}

const folder = mkdtempSync(join(process.cwd(), "bench", ".size-"));
try {
  const files: Record<string, string> = {};
  for (const [name, program] of Object.entries({ "an empty program": "", ...programs })) {
    files[name] = join(folder, `${name.replaceAll(/\W+/g, "-")}.mjs`);
    writeFileSync(files[name], program);
  }
  const times = loadTimes(files);
  const empty = times["an empty program"] as number;
  const [, base] = await sizes(programs["ky + zod/mini"] as string);
  const baseTime = (times["ky + zod/mini"] as number) - empty;
  for (const [name, program] of Object.entries(programs)) {
    const [minified, gzipped] = await sizes(program);
    const time = (times[name] as number) - empty;
    console.log(
      `${name}: ${minified.toFixed(1)} kB, gzipped ${gzipped.toFixed(1)} kB (${(gzipped / base).toFixed(2)}); ` +
        `loads in ${time.toFixed(0)} ms (${(time / baseTime).toFixed(2)})`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
