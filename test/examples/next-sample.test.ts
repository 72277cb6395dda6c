import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createMock } from "@billing-service/sdk/mock";
import { expect, it } from "vitest";
import { createClient as createReleasedClient } from "#next";
import { createClient } from "../../examples/next-sample/client.ts";
import { nextSample } from "../../examples/next-sample/contract.ts";
import { contractsWith, next } from "../support/contracts.ts";
import { missingOutput } from "../support/pages/expectations.ts";
import { AFTER_NEXT } from "../support/versions.ts";

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
