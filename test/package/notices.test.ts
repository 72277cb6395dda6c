import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const notices = readFileSync("THIRD-PARTY-NOTICES.md", "utf8");

/** The packages that any built file holds code of, as the comments of the bundler say; the page of the inspector holds Preact. */
function bundled(): string[] {
  const names = globSync("dist/**/*.js").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm)].map(([, name]) => name),
  );
  return [...new Set([...names, "preact"])].sort() as string[];
}

it("the notices contain the license of every bundled package", () => {
  expect(bundled()).toContain("hono");
  expect([...notices.matchAll(/^## (.+)$/gm)].map(([, name]) => name)).toEqual(bundled());
  expect(notices.match(/Permission is hereby granted/g)).toHaveLength(bundled().length);
});
