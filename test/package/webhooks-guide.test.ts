import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Workspace } from "../isolation/workspace.ts";

const guide = readFileSync(new URL("../../docs/webhooks.md", import.meta.url), "utf8");
const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));

/** Every program of the guide, with the heading that it stands under. */
const programs = guide.split(/^## /m).flatMap((section) => {
  const [heading = ""] = section.split("\n");
  const found = section.matchAll(/^```ts\n(.*?)^```$/gms);
  return [...found].map(([, program]) => [heading, program as string] as const);
});
const usesVitest = (program: string) => program.includes('from "vitest"');

describe("the guide to webhooks, as it stands", () => {
  it("has a program under every heading that shows something", () => {
    expect(new Set(programs.map(([heading]) => heading))).toHaveProperty("size", 5);
  });

  it.each(programs.filter(([, program]) => !usesVitest(program)))("runs: %s", async (_, program) => {
    using workspace = new Workspace(["standardwebhooks"]);
    workspace.write("guide.ts", program);
    expect(await workspace.node(["guide.ts"])).toEqual({ status: 0, output: "" });
    // A program that checked nothing would run as well.
    const wrong = program
      .replaceAll(/assert\.equal\((.*?), /g, "assert.notEqual($1, ")
      .replaceAll("assert.match", "assert.doesNotMatch");
    workspace.write("guide.ts", wrong);
    expect(await workspace.node(["guide.ts"])).toMatchObject({
      status: 1,
      output: expect.stringContaining("AssertionError"),
    });
  });

  it.each(programs.filter(([, program]) => usesVitest(program)))("runs under Vitest: %s", async (_, program) => {
    using workspace = new Workspace(["vitest"]);
    workspace.write("guide.test.ts", program);
    const { status, output } = await workspace.node([vitest, "run", "--root", workspace.folder]);
    expect(output).toMatch(/Tests\s+1 passed/);
    expect(status).toBe(0);
  });
});
