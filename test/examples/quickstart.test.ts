import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fileWith } from "../support/command.ts";
import { AFTER_NEXT, NEXT } from "../support/versions.ts";

const quickstart = (...parameters: string[]) =>
  spawnSync(process.execPath, ["examples/quickstart.ts", ...parameters], { encoding: "utf8" });

it("npm start prints each step of the tour without secrets, and without formatting outside a terminal", () => {
  const { status, stdout } = spawnSync("npm", ["start", "--silent"], { encoding: "utf8" });
  expect(status).toBe(0);
  expect(stdout).toContain("first run    200 inserted, 0 duplicates, 0 rejected");
  expect(stdout).toContain("ApiError 403 insufficient_scope");
  expect(stdout).toContain("events:ingest: 422 body.events.0.name: String should have at most 20 characters");
  expect(stdout).toContain(`${NEXT}, and ${AFTER_NEXT} after the endpoint was updated`);
  expect(stdout).not.toContain("\u001b");
  expect(stdout).not.toMatch(/\r|whsec_|billing_(oat|oidc|pat)_/);
});

it("npm start -- <file> ingests the file as npx @billing-service/sdk ingest does, with the same exit code", () => {
  const good = '{"name":"api.call","external_customer_id":"somebody"}';
  const file = fileWith([good, "hello", good, '{"name":"api.call"}'].join("\n"), "usage.jsonl");
  const rejected = `${file}.rejected`;
  expect(quickstart(file)).toMatchObject({
    status: 3,
    stdout: `2 inserted, 0 duplicates, 2 rejected\nRejected lines, with reasons: ${rejected}\n`,
    stderr: "",
  });
  const lines = readFileSync(rejected, "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).line).sort()).toEqual([2, 4]);
});
