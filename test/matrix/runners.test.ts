import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { chromiumPath, describeInChromium } from "../browser/chromium.ts";
import { freePort } from "../support/local-server.ts";
import { run } from "../support/workspace.ts";
import { createConsumer } from "./consumer.ts";
import { describeMatrix, isMissing } from "./describe-matrix.ts";
import { runtimes } from "./runtimes.ts";

describeMatrix("the example test suites in the tarball", () => {
  let folder: string;
  beforeAll(() => {
    folder = createConsumer();
    for (const example of ["vitest", "jest", "node-test", "playwright"]) copyExample(folder, example);
  });

  const inExample = (example: string) => join(folder, "examples", example);
  /** Writes the package.json of an example. Without a type, its files are CommonJS unless they look like ES modules. */
  const setType = (example: string, type?: "module" | "commonjs") =>
    writeFileSync(join(inExample(example), "package.json"), JSON.stringify({ type }));

  it.each(["vitest", "vitest-3"])("pass in %s", async (vitest) => {
    const project = vitest === "vitest" ? folder : createConsumer({ vitest });
    if (project !== folder) copyExample(project, "vitest");
    const program = join(project, "node_modules/vitest/vitest.mjs");
    const { status, output } = await run(process.execPath, [program, "run"], join(project, "examples/vitest"));
    expect(output).toContain(vitest.replace(/vitest-?/, "v"));
    expect(output).toMatch(/Tests\s+4 passed \(4\)/);
    expect(status).toBe(0);
  });

  it("pass in node:test", async () => {
    setType("node-test", "module");
    const { status, output } = await run(process.execPath, ["--test"], inExample("node-test"));
    expect(output).toMatch(/tests 3\n.*\n?.*pass 3\n/);
    expect(status).toBe(0);
  });

  const [oldest] = runtimes;
  const skipped = isMissing(oldest?.program !== undefined, `Jest in ${oldest?.name}`, "its program is missing");
  it.skipIf(skipped)("pass in Jest in the oldest Node.js", async () => {
    setType("jest", "commonjs");
    const jest = join(folder, "node_modules/jest/bin/jest.js");
    const { status, output } = await run(oldest?.program ?? "", [jest], inExample("jest"));
    expect(output).toMatch(/Tests:\s+3 passed, 3 total/);
    expect(status).toBe(0);
  });

  describeInChromium("in Playwright", () => {
    it.each(["playwright", "parallel"])("pass in a package without a type: %s", { timeout: 120_000 }, async (name) => {
      setType("playwright");
      const [mockPort, appPort] = [await freePort(), await freePort()];
      const env = { MOCK_PORT: `${mockPort}`, APP_PORT: `${appPort}`, CHROMIUM: chromiumPath ?? "" };
      const playwright = join(folder, "node_modules/@playwright/test/cli.js");
      const parameters = [playwright, "test", "--reporter=line", "--config", `${name}.config.ts`];
      const { status, output } = await run(process.execPath, parameters, inExample("playwright"), env);
      expect(output).toMatch(/\b2 passed/);
      expect(status).toBe(0);
    });
  });
});

/** Copies an example of the installed package into its own project, as a user would. */
function copyExample(folder: string, example: string): void {
  const copied = join(folder, "examples", example);
  cpSync(join(folder, "node_modules/@billing-service/sdk/examples", example), copied, { recursive: true });
  symlinkSync(join(folder, "node_modules"), join(copied, "node_modules"));
}
