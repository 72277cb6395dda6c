/**
 * Measures how long TypeScript 6 takes to check a program that reads one endpoint: `npm run bench -- types`. Compares it to
 * programs that do the same with bare `fetch` and with another SDK. Uses the built declarations.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "../scripts/build.ts";
import { compare } from "./harness.ts";
import { checkTime, installPeers, root } from "./programs.ts";

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
await installPeers();
const folders = Object.entries(cases).map(([name, { folder, program }]) => {
  const project = mkdtempSync(join(root, folder, ".types-"));
  writeFileSync(join(project, "program.ts"), program);
  return [name, project] as const;
});
try {
  for (const skipLibCheck of [true, false]) {
    await compare({
      metrics: [{ title: `type-checking ${skipLibCheck ? "with" : "without"} skipLibCheck`, unit: "s" }],
      cases: Object.fromEntries(folders.map(([name, folder]) => [name, () => [checkTime(folder, skipLibCheck)]])),
    });
  }
} finally {
  for (const [, folder] of folders) rmSync(folder, { recursive: true });
}
