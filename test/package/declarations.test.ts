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
  const mentioning = files.filter((file) => /\bzod\b|Zod[A-Z]/i.test(withoutComments(file)));
  expect(mentioning).toEqual([]);
});

it.each([
  ["node16", ts.ModuleKind.Node16],
  ["node18", ts.ModuleKind.Node18],
] as const)("the declarations for `require` compile under %s, also with MSW 3", (_, module) => {
  const lib = ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"];
  const rootNames = files.filter((file) => file.endsWith(".d.cts"));
  const program = ts.createProgram({ rootNames, options: { module, lib, types: ["node"], strict: true } });
  const ours = program
    .getSourceFiles()
    .filter(({ fileName }) => /\bdist\/.*\.d\.cts$/.test(fileName) && !fileName.includes("node_modules"));
  expect(ours.length).toBeGreaterThan(20);
  const problems = ours.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  expect(problems.map(({ file, messageText }) => [file?.fileName, messageText])).toEqual([]);
});

function withoutComments(file: string): string {
  return readFileSync(file, "utf8").replaceAll(/\/\*\*[\s\S]*?\*\//g, "");
}
