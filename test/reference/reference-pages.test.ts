import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { SCOPES, WEBHOOK_EVENT_TYPES } from "#current";
import { createMock } from "../../mock/index.ts";
import { type MockServer, startServer } from "../../mock/server.ts";
import { STATE_LIMITS } from "../../mock/state/state.ts";
import { loadVersion } from "../../scripts/generate/version-source.ts";
import { ROOT } from "../../site/paths.ts";
import { readExports } from "../../site/reference/exports/read-exports.ts";
import { SAMPLE_ID } from "../../site/reference/operations/sample-request.ts";
import { writeVersionPages } from "../../site/reference/write-reference.ts";
import { currentVersion, siteVersions } from "../../site/versions.ts";
import type { Operation } from "../../src/contract/index.ts";
import * as errors from "../../src/errors/index.ts";
import * as usage from "../../src/usage/index.ts";
import { declaredSchema } from "../fuzz/declared.ts";
import { newFolder } from "../support/new-folder.ts";

const run = promisify(execFile);
const endpoint = { id: SAMPLE_ID };
const folder = newFolder(afterAll);

/** A block of code on a page, with the title of its tab. */
interface Block {
  readonly title: string;
  readonly code: string;
}

function blocksOf(page: string): readonly Block[] {
  const blocks = page.matchAll(/^```\w+ \[([^\]]+)\]\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, title = "", code = ""]) => ({ title, code }));
}

const blockOf = (page: string, title: string) => blocksOf(page).find((block) => block.title === title)?.code ?? "";

let programs = 0;

/** Runs a page's program with the sources of the package, and returns its output. */
async function printed(code: string): Promise<unknown> {
  const program = `${folder}/${++programs}.ts`;
  const sources = code
    .replaceAll('"@billing-service/sdk/mock"', `"${ROOT}mock/index.ts"`)
    .replaceAll(/"@billing-service\/sdk\/(20\d\d-\d\d)"/g, `"${ROOT}versions/$1/index.ts"`);
  writeFileSync(program, sources);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await import(program);
  expect(log).toHaveBeenCalledTimes(1);
  return log.mock.calls[0]?.[0];
}

let server: MockServer;
beforeAll(async () => {
  server = await startServer();
  server.mock.webhookEndpoints.create(endpoint);
});
afterAll(() => server.close());

// The same code writes the pages of every version, and only Next changes. The errors and options are Current's.
for (const { name: version } of siteVersions().slice(0, 2)) {
  const to = `${folder}/${version}`;
  const [, project] = await readExports(version);
  const symbols = await writeVersionPages({ version, project, symbols: {} }, to);
  const { contract } = await loadVersion(version);
  const names = Object.keys(symbols).map((call) => call.replace("billing.", "").replace(".", "-"));
  const pages = names.map((name) => [name, readFileSync(`${to}/operations/${name}.md`, "utf8")] as const);

  it(`${version}: every operation has a page`, () => {
    const lines = contract.operations.map(({ method, path }) => `${method}</span> \`${path}\``);
    for (const line of lines) expect(pages.filter(([, page]) => page.includes(line))).toHaveLength(1);
    expect(readdirSync(`${to}/operations`)).toHaveLength(contract.operations.length + 1);
  });

  describe.each(pages)("%s", (_name, page) => {
    const operation = contract.operations.find((each) =>
      page.includes(`>${each.method}</span> \`${each.path}\``),
    ) as Operation;

    it("has a client program that runs", async () => {
      const mock = createMock();
      mock.webhookEndpoints.create(endpoint);
      vi.spyOn(globalThis, "fetch").mockImplementation(mock.fetch);
      vi.stubEnv("BILLING_TOKEN", mock.issueToken({ scopes: [...operation.security.scopes] as never[] }));
      expect(await printed(blockOf(page, "Client"))).toBeTypeOf("object");
      expect(mock.requests.last()).toMatchObject({ operation: operation.id, versionUsed: version });
    });

    it("has a mock program that runs", async () => {
      expect(await printed(blockOf(page, "Mock"))).toBeTypeOf("object");
    });

    it("has a curl command that runs", async () => {
      const env = { PATH: process.env["PATH"], BILLING_URL: server.url, BILLING_TOKEN: server.mock.issueToken() };
      const code = blockOf(page, "curl").replace("curl ", 'curl -s -w "\\n%{http_code}" ');
      const { stdout } = await run("bash", ["-c", code], { env });
      expect(stdout.trimEnd().split("\n").at(-1)).toBe(String(operation.response.status));
      expect(server.mock.requests.last()).toMatchObject({ operation: operation.id, versionUsed: version });
    });

    it("shows a body for every declared status, and each matches the contract", async () => {
      const bodies = blocksOf(page).filter(({ title }) => /^\d/.test(title));
      const statuses = bodies.map(({ title }) => Number.parseInt(title, 10));
      expect([...new Set(statuses)]).toEqual([
        operation.response.status,
        ...Object.keys(operation.failures).map(Number),
      ]);
      for (const [index, { code }] of bodies.entries()) {
        const result = await declaredSchema(operation, statuses[index] as number)?.["~standard"].validate(
          JSON.parse(code),
        );
        expect(result).toHaveProperty("value");
      }
    });

    it("names every request and response field", async () => {
      const tables = page.slice(page.search(/^## (?:Parameters|Body)$/m));
      const shown = blocksOf(page).find(({ title }) => title === String(operation.response.status))?.code ?? "";
      const named = [
        ...Object.keys(JSON.parse(shown)),
        ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id),
      ];
      for (const name of named) expect(tables).toMatch(new RegExp(`^\\| \`(?:\\S+\\.)?${name}\``, "m"));
    });
  });
}

const { name: current } = currentVersion();

it("the errors page describes every error class that users can import", async () => {
  const page = readFileSync(`${folder}/${current}/errors.md`, "utf8");
  const classes = Object.entries({ ...errors, ...usage }).filter(
    ([, value]) => typeof value === "function" && value.prototype instanceof errors.BillingError,
  );
  expect(classes.length).toBeGreaterThan(10);
  for (const [name] of classes) {
    const section = page.split(`\n### ${name}\n`)[1]?.split("\n### ")[0];
    expect(section).toMatch(/^\n[A-Z].+/);
    expect(section).toMatch(/^\*\*What to do:\*\* \S.+/m);
  }
});

it("the options page lists each option with its default", async () => {
  const page = readFileSync(`${folder}/${current}/options.md`, "utf8");
  const rows = [
    ["createClient", "maxRetries", "2"],
    ["createMock", "maxEvents", "100,000"],
    ["createMock", "maxEventBytes", STATE_LIMITS.maxEventBytes.toLocaleString("en-US")],
    ["createEventBuffer", "maxBatchEvents", "500"],
    ["createWebhookHandler", "secret", "required"],
    ["mock.fault", "status", ""],
    ["startServer", "port", "0, which picks a free one"],
    ["createWebhookHandler", "rememberMs", "3 days"],
  ] as const;
  for (const [title, option, value] of rows) {
    const section = page.slice(page.indexOf(`\n## ${title}\n`)).split("\n## ")[1] ?? "";
    expect(section).toMatch(new RegExp(`^\\| \`${option}\` .* \\| ${value} \\| \\S`, "m"));
  }
});

it("the event types page lists each type once, with the rules, and a payload per format", () => {
  const page = readFileSync(`${folder}/${current}/event-types.md`, "utf8");
  const listed = page.match(/^\| `\w+` \{#.*$/gm)?.flatMap((row) => row.match(/(?<=`)\w+\.\w+(?=`)/g) ?? []);
  expect(listed).toEqual(WEBHOOK_EVENT_TYPES);
  expect(page.match(/^\| DEL-\d+ \|/gm)).toHaveLength(9);
  expect(page).toMatch(/^webhook-signature: v1,\S+$/m);
  expect(JSON.parse(blockOf(page, "raw"))).toMatchObject({ type: "order.paid", api_version: current });
  expect(JSON.parse(blockOf(page, "discord"))).toHaveProperty("embeds");
  expect(JSON.parse(blockOf(page, "slack"))).toHaveProperty("blocks");
});

it("the scopes page lists each scope with the operations that accept it", () => {
  const page = readFileSync(`${folder}/${current}/scopes.md`, "utf8");
  expect(page.match(/(?<=^\| `)[\w:]+(?=` \{#)/gm)).toEqual(SCOPES);
  expect(page).toMatch(/^\| `webhooks:write` .*webhooks\.getEndpoint.*webhooks\.createEndpoint/m);
  expect(page).toMatch(/^\| `openid` \{#openid\} \| {2}\|$/m);
});
