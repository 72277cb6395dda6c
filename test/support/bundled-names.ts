import { globSync, readFileSync } from "node:fs";

/** The package only in minified files: Preact in the page of the inspector. */
const MINIFIED = ["preact"];

/** Returns the names of the packages in the build, sorted: those that the comments of the bundler name, and `MINIFIED`. */
export function bundledNames(): string[] {
  const names = globSync("dist/**/*.{js,cjs}").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^\/\/ (?:\S*\/)?node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm)].map(
      ([, name]) => name,
    ),
  );
  return [...new Set([...names, ...MINIFIED])].sort() as string[];
}
