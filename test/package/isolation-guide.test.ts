import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { installedJest } from "../isolation/jest.ts";
import { Workspace } from "../isolation/workspace.ts";

const guide = readFileSync(new URL("../../docs/isolation.md", import.meta.url), "utf8");

/** The programs in one section of the guide. */
function programs(section: string): string[] {
  const [, text = ""] = guide.split(new RegExp(`^## ${section}$`, "m"));
  const [own = ""] = text.split(/^## /m);
  return [...own.matchAll(/^```[jt]s\n(.*?)^```$/gms)].map(([, program]) => program as string);
}

const counted = "assert.equal(mock.events.size, 1)";

describe("the guide to isolation, as it stands", () => {
  it("runs under Vitest", async () => {
    using workspace = new Workspace(["vitest"]);
    const suites = [...programs("Vitest"), ...programs("When the code under test makes its own client")];
    for (const [index, program] of suites.entries()) workspace.write(`guide-${index}.test.ts`, program);
    const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
    const { status, output } = await workspace.node([vitest, "run", "--root", workspace.folder]);
    expect(output).toMatch(/Tests\s+5 passed/);
    expect(status).toBe(0);
  });

  it("runs under node:test, and fails where it should", async () => {
    using workspace = new Workspace();
    const [program = ""] = programs("node:test");
    workspace.write("guide.test.js", program);
    const { status, output } = await workspace.node(["--test", "guide.test.js"]);
    expect(output).toMatch(/pass 2$/m);
    expect(status).toBe(0);
    workspace.write("guide.test.js", program.replace(counted, counted.replace("1)", "2)")));
    expect(await workspace.node(["--test", "guide.test.js"])).toMatchObject({ status: 1, output: /fail 1$/m });
  });

  it("runs under Jest", { timeout: 180_000 }, async (context) => {
    const jest = await installedJest();
    if (!jest) return context.skip("Jest could not be installed from the registry.");
    using workspace = new Workspace();
    workspace.write("guide.test.js", programs("Jest")[0] ?? "");
    const parameters = [jest, "--rootDir", workspace.folder];
    const { status, output } = await workspace.node(parameters, { NODE_OPTIONS: "--experimental-vm-modules" });
    expect(output).toMatch(/Tests:\s+2 passed, 2 total/);
    expect(status).toBe(0);
  });
});
