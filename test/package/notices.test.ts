import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const notices = readFileSync("THIRD-PARTY-NOTICES.md", "utf8");

/** The packages that any built file holds code of, as the source maps say; the page of the inspector holds Preact. */
function bundled(): string[] {
  const names = globSync("dist/**/*.js.map").flatMap((map) => {
    const { sources } = JSON.parse(readFileSync(map, "utf8")) as { readonly sources: readonly string[] };
    return sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
  });
  return [...new Set([...names, "preact"])].sort();
}

it("the notices name every package whose code is in the published one, with its licence", () => {
  expect(bundled()).toContain("hono");
  expect([...notices.matchAll(/^## (.+)$/gm)].map(([, name]) => name)).toEqual(bundled());
  expect(notices.match(/Permission is hereby granted/g)).toHaveLength(bundled().length);
});
