import { globSync, readFileSync } from "node:fs";
import jsTokens from "js-tokens";
import { checkSync } from "recheck";
import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url).pathname;

/** Returns the regular expressions in the sources of the clients and of the commands, each with its file. */
function patterns(): readonly (readonly [file: string, source: string, flags: string])[] {
  const files = globSync("{src,versions/*,cli}/**/*.ts", { cwd: root });
  return files.flatMap((file) =>
    [...jsTokens(readFileSync(root + file, "utf8"))].flatMap(({ type, value }) => {
      const [, source, flags] = /^\/(.*)\/(\w*)$/s.exec(value) ?? [];
      return type === "RegularExpressionLiteral" && source ? [[file, source, flags ?? ""] as const] : [];
    }),
  );
}

it("no regular expression takes more than linear time, whatever text it receives", () => {
  const all = patterns();
  expect(all.length).toBeGreaterThan(30);
  const distinct = new Map(all.map((pattern) => [pattern.slice(1).join("/"), pattern]));
  const slow = [...distinct.values()].filter(([, source, flags]) => {
    return checkSync(source, flags, { timeout: 1_000 }).status === "vulnerable";
  });
  expect(slow).toEqual([]);
});
