import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMock } from "@billing-service/sdk/mock";
import { expect, it } from "vitest";
import { createClient as createReleasedClient } from "#next";
import { createClient } from "../../examples/next-sample/client.ts";
import { nextSample } from "../../examples/next-sample/contract.ts";
import { contractsWith, next } from "../support/contracts.ts";
import { newFolder } from "../support/new-folder.ts";
import { blocksOf } from "../support/pages/blocks.ts";
import { missingOutput } from "../support/pages/expectations.ts";
import { AFTER_NEXT } from "../support/versions.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

it("G-NEXTNEXT: the example arrives with a release, and its client sends its version", async () => {
  const mock = createMock({ contracts: [...contractsWith({}), nextSample(next)] });
  const options = { accessToken: mock.issueToken(), fetch: mock.fetch };
  const event = { name: "api.call", external_customer_id: "acme", source: "gateway", properties: { path: "/" } };
  const ingest = () => createClient(options).events.ingest([event]).withResponse();
  await expect(ingest()).rejects.toMatchObject({ status: 404, message: expect.stringContaining(AFTER_NEXT) });
  mock.release();
  expect(await ingest()).toMatchObject({ version: AFTER_NEXT, data: { inserted: 1, duplicates: 0 } });
  expect(mock.events.list()).toMatchObject([event]);
  const old = { name: "api.search.completed.v1", external_customer_id: "acme", metadata: { path: "/" } };
  expect(await createReleasedClient(options).events.ingest([old])).toEqual({ inserted: 1, duplicates: 0 });
});

it("the program that moves to the example prints what its comments say", () => {
  const program = "examples/next-sample/upgrade.ts";
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(missingOutput(readFileSync(program, "utf8"), stdout)).toEqual([]);
});

it("docs/versions.md shows the compiler's error; once it is fixed, the compiler names the missing field", () => {
  const blocks = blocksOf("docs/versions.md");
  const index = blocks.findIndex(({ note }) => note.includes("test/examples/next-sample.test.ts"));
  const [program, shown] = blocks.slice(index, index + 2).map(({ code }) => code) as [string, string];
  const errors = errorsIn({ "report.ts": program, "fixed.ts": program.replace("metadata", "properties") });
  expect(errors).toEqual([
    expect.stringMatching(/^fixed.ts.*\n +Property 'source' is missing/),
    shown.trim().replace("\n", " "),
  ]);
});

/** Compiles programs beside the example's client. Returns the errors as `tsc` prints them. */
function errorsIn(programs: Readonly<Record<string, string>>): string[] {
  const folder = newFolder();
  const files = {
    ...programs,
    "client.ts": `export * from "${root}examples/next-sample/client.ts";`,
    "package.json": '{ "type": "module" }',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const compilerOptions = { typeRoots: [`${root}node_modules/@types`] };
  const config = { extends: `${root}test/tsconfig.json`, compilerOptions, files: Object.keys(programs), include: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const { stdout } = spawnSync(process.execPath, [`${root}node_modules/typescript-7/bin/tsc`], {
    cwd: folder,
    encoding: "utf8",
  });
  return stdout.trim().split(/\n(?=\S)/);
}
