/**
 * Measures how long TypeScript 6 takes to check a program that reads one endpoint: `npm run bench:types`. Compares it to
 * programs that do the same with bare `fetch` and with another SDK. Uses the built declarations.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "../scripts/build.ts";
import { compare } from "./harness.ts";
import { installPeers } from "./install-peers.ts";

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
  "this client, of one version": {
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

await build({ ifStale: true, types: true });
installPeers();
for (const skipLibCheck of [true, false]) await measure(skipLibCheck);

async function measure(skipLibCheck: boolean): Promise<void> {
  const folders = Object.entries(cases).map(([name, each]) => [name, prepare(each, skipLibCheck)] as const);
  try {
    await compare({
      metrics: [{ title: `type-checking ${skipLibCheck ? "with" : "without"} skipLibCheck`, unit: "s" }],
      cases: Object.fromEntries(folders.map(([name, folder]) => [name, () => [check(folder)]])),
    });
  } finally {
    for (const [, folder] of folders) rmSync(folder, { recursive: true });
  }
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
