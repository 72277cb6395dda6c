/**
 * Measures how long TypeScript 6 takes to check a program that reads one endpoint: `npm run bench:types`. Compares it to
 * programs that do the same with bare `fetch` and with another SDK. Uses the built declarations. `RUNS=3` measures less.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "../scripts/build.ts";
import { installPeers } from "./install-peers.ts";

const RUNS = Number(process.env["RUNS"] ?? 5);
const root = fileURLToPath(new URL("..", import.meta.url));
const tsc = join(root, "node_modules/typescript/bin/tsc");

interface Case {
  /** The folder from which the program imports its packages. */
  readonly folder: string;
  readonly program: string;
}

const cases: Readonly<Record<string, Case>> = {
  "bare fetch": {
    folder: "bench",
    program: `export const make = (baseUrl: string) => async () => {
      const response = await fetch(\`\${baseUrl}/v1/webhooks/endpoints/id\`, { headers: { authorization: "Bearer t" } });
      if (!response.ok) throw new Error(String(response.status));
      return (await response.json()) as { id: string };
    };`,
  },
  "the client of one version": {
    folder: "bench",
    program: `import { createClient } from "@billing-service/sdk/2025-01";
    export const make = (baseUrl: string) => {
      const billing = createClient({ accessToken: "token-of-tests", baseUrl });
      return () => billing.webhooks.getEndpoint("3fa85f64-5717-4562-b3fc-2c963f66afa6");
    };`,
  },
  "@polar-sh/sdk": {
    folder: "bench/peers",
    program: `import { createPolar } from "@polar-sh/sdk/2026-10";
    export const make = (baseUrl: string) => {
      const polar = createPolar({ accessToken: "t", baseUrl });
      return () => polar.webhooks.getWebhookEndpoint("ep_1");
    };`,
  },
};

type Seconds = Record<string, number[]>;

await build({ ifStale: true, types: true });
installPeers();
for (const skipLibCheck of [true, false]) print(skipLibCheck, measure(skipLibCheck));

/** Checks the programs in turns, so that changes in machine speed affect all. The first round does not count. */
function measure(skipLibCheck: boolean): Seconds {
  const folders = Object.entries(cases).map(([name, each]) => [name, prepare(each, skipLibCheck)] as const);
  const seconds: Seconds = Object.fromEntries(folders.map(([name]) => [name, []]));
  try {
    for (let run = 0; run <= RUNS; run++) {
      for (const [name, folder] of folders) {
        const taken = check(folder);
        if (run > 0) seconds[name]?.push(taken);
      }
    }
  } finally {
    for (const [, folder] of folders) rmSync(folder, { recursive: true });
  }
  return seconds;
}

function prepare({ folder, program }: Case, skipLibCheck: boolean): string {
  const project = mkdtempSync(join(root, folder, ".types-"));
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck,
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"],
    module: "nodenext",
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  };
  writeFileSync(join(project, "program.ts"), program);
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  return project;
}

/** Returns the seconds of a check. */
function check(folder: string): number {
  const begin = performance.now();
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(stdout);
  return (performance.now() - begin) / 1000;
}

/** Prints the medians, and the median of the ratios to bare fetch in each round. */
function print(skipLibCheck: boolean, seconds: Seconds): void {
  const [bare = []] = Object.values(seconds);
  console.log(`skipLibCheck: ${skipLibCheck}`);
  for (const [name, all] of Object.entries(seconds)) {
    const ratio = median(all.map((each, run) => each / (bare[run] ?? Number.NaN)));
    console.log(`  ${name.padEnd(26)} ${median(all).toFixed(2)} s  ${ratio.toFixed(2)} x bare fetch`);
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
