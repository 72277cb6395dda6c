import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** The package only in minified files: Preact in the page of the inspector. */
const MINIFIED = ["preact"];

/** Returns the names of the packages in the build, sorted: those that the comments of the bundler name, and `MINIFIED`. */
function bundledNames(): string[] {
  const names = globSync("dist/**/*.{js,cjs}").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^\/\/ (?:\S*\/)?node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm)].map(
      ([, name]) => name,
    ),
  );
  return [...new Set([...names, ...MINIFIED])].sort() as string[];
}

it("the notices contain the license of every bundled package", () => {
  const notices = readFileSync("dist/THIRD-PARTY-NOTICES.md", "utf8");
  expect(bundledNames()).toEqual(expect.arrayContaining(["ky", "zod"]));
  expect([...notices.matchAll(/^## (.+)$/gm)].map(([, name]) => name)).toEqual(bundledNames());
  expect(notices.match(/Permission is hereby granted/g)).toHaveLength(bundledNames().length);
});
