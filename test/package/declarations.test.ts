import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const files = globSync("dist/**/*.d.{ts,cts,mts}");

/** Returns the packages that a declaration file imports, for example `node:http` or `msw`. */
function packagesIn(file: string): string[] {
  const { importedFiles, typeReferenceDirectives } = ts.preProcessFile(readFileSync(file, "utf8"));
  return [...importedFiles, ...typeReferenceDirectives]
    .map(({ fileName }) => fileName)
    .filter((name) => !name.startsWith("."));
}

it("the declarations import only optional peers and Node.js, so they work without any other package", () => {
  expect(files).not.toHaveLength(0);
  const imported = new Set(files.flatMap(packagesIn).filter((name) => !name.startsWith("node:")));
  const names = [...imported].map((name) => name.replace(/^(@[^/]+\/[^/]+|[^/]+).*/, "$1"));
  expect(Object.keys(manifest.peerDependencies)).toEqual(expect.arrayContaining(names));
});

it("the declarations do not mention zod, which is compiled in", () => {
  const withoutComments = (file: string) => readFileSync(file, "utf8").replaceAll(/\/\*\*[\s\S]*?\*\//g, "");
  expect(files.filter((file) => /\bzod\b|Zod[A-Z]/i.test(withoutComments(file)))).toEqual([]);
});
