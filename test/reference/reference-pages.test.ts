import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createMock } from "../../mock/index.ts";
import { type MockServer, startServer } from "../../mock/server.ts";
import { ROOT } from "../../site/paths.ts";
import { readExports } from "../../site/reference/exports/read-exports.ts";
import { SAMPLE_ID } from "../../site/reference/operations/operation-docs.ts";
import { writeVersionPages } from "../../site/reference/write-reference.ts";
import type { Operation } from "../../src/contract/index.ts";
import { declaredSchema } from "../fuzz/declared.ts";
import { current } from "../support/contracts.ts";
import { newFolder } from "../support/new-folder.ts";
import { CURRENT } from "../support/versions.ts";

const run = promisify(execFile);
const folder = newFolder(afterAll);

/** Returns the blocks of code on a page, each with the title of its tab. */
function blocksOf(page: string) {
  const blocks = page.matchAll(/^```\w+ \[([^\]]+)\]\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, title = "", code = ""]) => ({ title, code }));
}

const blockOf = (page: string, title: string) => blocksOf(page).find((block) => block.title === title)?.code ?? "";

/** Runs a page's program with the sources of the package, and returns what it prints. */
async function printed(name: string, code: string): Promise<unknown> {
  const sources = code.replace(`"@billing-service/sdk/${CURRENT}"`, `"${ROOT}versions/${CURRENT}/index.ts"`);
  writeFileSync(`${folder}/${name}.ts`, sources);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await import(`${folder}/${name}.ts`);
  return log.mock.calls[0]?.[0];
}

let server: MockServer;
beforeAll(async () => {
  server = await startServer();
  server.mock.webhookEndpoints.create({ id: SAMPLE_ID });
});
afterAll(() => server.close());

// The same code writes the pages of every version, and only Next changes.
const [, project] = await readExports(CURRENT);
await writeVersionPages({ version: CURRENT, project, symbols: {} }, folder);
const files = readdirSync(`${folder}/operations`).filter((file) => file !== "index.md");
const texts = files.map((file) => readFileSync(`${folder}/operations/${file}`, "utf8"));
const pageOf = ({ method, path }: Operation) =>
  texts.find((text) => text.includes(`${method}</span> \`${path}\``)) as string;

describe.each(current.operations.map((each) => [each.id, each] as const))("the page of %s", (id, operation) => {
  const page = pageOf(operation);
  const name = id.replace(":", "-");

  it("has a program that runs", async () => {
    const mock = createMock();
    mock.webhookEndpoints.create({ id: SAMPLE_ID });
    vi.spyOn(globalThis, "fetch").mockImplementation(mock.fetch);
    vi.stubEnv("BILLING_TOKEN", mock.issueToken({ scopes: [...operation.security.scopes] as never[] }));
    expect(await printed(`${name}-client`, blockOf(page, "Client"))).toBeTypeOf("object");
    expect(mock.requests.last()).toMatchObject({ operation: id, versionUsed: CURRENT });
  });

  it("has a curl command that runs", async () => {
    const env = { PATH: process.env["PATH"], BILLING_URL: server.url, BILLING_TOKEN: server.mock.issueToken() };
    const code = blockOf(page, "curl").replace("curl ", 'curl -s -w "\\n%{http_code}" ');
    const { stdout } = await run("bash", ["-c", code], { env });
    expect(stdout.trimEnd().split("\n").at(-1)).toBe(String(operation.response.status));
  });

  it("shows a body for every declared status, and each matches the contract", async () => {
    const bodies = blocksOf(page).filter(({ title }) => /^\d/.test(title));
    const statuses = bodies.map(({ title }) => Number.parseInt(title, 10));
    const declared = [operation.response.status, ...Object.keys(operation.failures).map(Number)];
    expect([...new Set(statuses)]).toEqual(declared);
    for (const [index, { code }] of bodies.entries()) {
      const schema = declaredSchema(operation, statuses[index] as number);
      expect(await schema?.["~standard"].validate(JSON.parse(code))).toHaveProperty("value");
    }
  });
});

const pageText = (name: string) => readFileSync(`${folder}/${name}.md`, "utf8");

it("the event types page lists each type once, and shows headers and a payload per format", () => {
  const page = pageText("event-types");
  const rows = page.match(/^\| `\w+` \{#.*$/gm) ?? [];
  expect(rows.flatMap((row) => row.match(/(?<=`)\w+\.\w+(?=`)/g) ?? [])).toEqual(current.webhookEventTypes);
  expect(page.match(/^\| DEL-\d+ \|/gm)?.length).toBeGreaterThanOrEqual(6);
  expect(page).toMatch(/^webhook-signature: v1,\S+$/m);
  expect(JSON.parse(blockOf(page, "raw"))).toMatchObject({ type: "order.paid", api_version: CURRENT });
  for (const format of ["discord", "slack"]) expect(JSON.parse(blockOf(page, format))).toBeTypeOf("object");
});

it("the scopes page lists each scope, with the operations that accept it", () => {
  const page = pageText("scopes");
  expect(page.match(/(?<=^\| `)[\w:]+(?=` \{#)/gm)?.sort()).toEqual(current.scopes.toSorted());
  expect(page).toMatch(/^\| `webhooks:write` .*webhooks\.getEndpoint.*webhooks\.createEndpoint/m);
});

it("the options page lists every exported interface of options, with defaults and units", () => {
  const page = pageText("options");
  const exported = project.children?.flatMap(({ children = [] }) => children.filter((each) => !each.isReference()));
  const names = exported?.map(({ name }) => name).filter((name) => name.endsWith("Options")) ?? [];
  // Other interfaces extend these, and their pages show the options.
  const extended = ["ContractOptions", "HandlerOptions", "VerifyOptions"];
  expect(names.filter((name) => !page.includes(`\`${name}\``) && !extended.includes(name))).toEqual([]);
  expect(page).toMatch(/^\| `timeout` \{#createClient-timeout\} \| .*milliseconds<\/span> \| 30,000 \| \S/m);
});
