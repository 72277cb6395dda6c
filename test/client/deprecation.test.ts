import { describe, expect, it, vi } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import type { LogLevel } from "../../src/client/index.ts";
import { releaseDates } from "../../src/lifecycle/index.ts";
import { TOKEN } from "./tiny-contract.ts";

describe("the warning about the Deprecated version", () => {
  const [deprecated = "", current = "", next = ""] = versionNames();
  const { removed } = releaseDates(deprecated);
  const warning = `createClient: version ${deprecated} of the API is Deprecated. The release between ${removed.earliest} and ${removed.latest} removes it: import ${current} or a later version.`;
  const logged = [warning, { version: deprecated, removed, current }];

  it.each<[name: string, version: string, levels: LogLevel[], logged: unknown[][]]>([
    ["is logged once in a process", deprecated, ["warn", "debug"], [[logged], []]],
    ["waits for a client whose log is not off", deprecated, ["off", "warn"], [[], [logged]]],
    ["is not logged for Current", current, ["warn"], [[]]],
    ["is not logged for Next", next, ["warn"], [[]]],
  ])("%s", async (_, version, levels, expected) => {
    vi.resetModules();
    const { createClient } = await import(`../../versions/${version}/index.ts`);
    const warnings = levels.map((logLevel) => {
      const logger = { debug: vi.fn(), warn: vi.fn() };
      createClient({ accessToken: TOKEN, logger, logLevel });
      return logger.warn.mock.calls;
    });
    expect(warnings).toEqual(expected);
  });
});
