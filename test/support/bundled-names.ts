import { globSync, readFileSync } from "node:fs";

/**
 * Returns the names of the packages in the build, sorted: those that the comments of the bundler name, and Preact, which is
 * in the page of the inspector.
 */
export function bundledNames(): string[] {
  const names = globSync("dist/**/*.{js,cjs}").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^\/\/ (?:\S*\/)?node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm)].map(
      ([, name]) => name,
    ),
  );
  return [...new Set([...names, "preact"])].sort() as string[];
}
