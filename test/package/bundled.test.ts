import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { sbom } from "../../scripts/sbom.ts";

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

it("the bill of materials lists every bundled package, with the exact version and the digest of the lock file", async () => {
  const { components } = await sbom();
  const { packages }: { packages: Record<string, { version?: string; integrity?: string }> } = lock;
  const wanted: Record<string, string> = manifest.devDependencies;
  expect(components.map(({ name }) => name)).toEqual(bundledNames());
  for (const { name, version, hashes } of components) {
    const integrity = `sha512-${Buffer.from(hashes?.[0].content ?? "", "hex").toString("base64")}`;
    expect(packages[`node_modules/${name}`]).toMatchObject({ version, integrity });
    expect(wanted[name]).toBe(version);
  }
});

it("the notices contain the license of every bundled package", () => {
  const notices = readFileSync("THIRD-PARTY-NOTICES.md", "utf8");
  expect(bundledNames()).toEqual(expect.arrayContaining(["ky", "zod"]));
  expect([...notices.matchAll(/^## (.+)$/gm)].map(([, name]) => name)).toEqual(bundledNames());
  expect(notices.match(/Permission is hereby granted/g)).toHaveLength(bundledNames().length);
});
