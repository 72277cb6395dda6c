import { expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { releaseDates } from "../../src/lifecycle/index.ts";
import { run } from "../support/program.ts";

const [deprecated = "", current = "", next = ""] = versionNames();
const { removed } = releaseDates(deprecated);
const WARNING = `createClient: version ${deprecated} of the API is Deprecated. The release between ${removed.earliest} and ${removed.latest} removes it; after that, requests for it get a 404. Import ${current} or a later version.`;

/** Creates clients of a version in a new process, one for each list of options, and returns what it printed. */
async function printed(version: string, ...clients: readonly string[]): Promise<string> {
  const source = JSON.stringify(new URL(`../../versions/${version}/index.ts`, import.meta.url).href);
  const calls = clients.map((options) => `createClient({ accessToken: "secret-token", ${options} });`);
  const { output, status } = await run(`
    const { createClient } = await import(${source});
    const logger = (name) => ({ debug() {}, warn: (...given) => console.log(name, JSON.stringify(given)) });
    ${calls.join("\n")}
  `);
  expect({ status, output }).toMatchObject({ status: 0 });
  return output;
}

it("the first client of the Deprecated version in a process warns with the removal date, and no other", async () => {
  const details = { version: deprecated, removed, current };
  expect(await printed(deprecated, 'logger: logger("first")', 'logger: logger("second")')).toBe(
    `first ${JSON.stringify([WARNING, details])}\n`,
  );
});

it("the warning goes to the console without a logger, and also with logLevel warn", async () => {
  expect(await printed(deprecated, "")).toContain(WARNING);
  expect(await printed(deprecated, 'logLevel: "warn"')).toContain(WARNING);
});

it("a client whose log is off does not warn, and the next one does", async () => {
  const output = await printed(deprecated, 'logLevel: "off", logger: logger("off")', 'logger: logger("on")');
  expect(output).toMatch(/^on .+\n$/);
});

it.each([current, next])("a client of %s does not warn", async (version) => {
  expect(await printed(version, 'logger: logger("any")', "")).toBe("");
});
