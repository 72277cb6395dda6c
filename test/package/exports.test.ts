import { createRequire } from "node:module";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { entryPoints } from "../../scripts/entry-points.ts";

const require = createRequire(import.meta.url);
const names = Object.keys(entryPoints());
const program = ts.createProgram(
  names.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.d.cts`]),
  { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true, noEmit: true },
);
const checker = program.getTypeChecker();

/** Returns the names of values in type declarations. */
function declared(file: string): string[] {
  const source = program.getSourceFile(file) as ts.SourceFile;
  const module = checker.getSymbolAtLocation(source) as ts.Symbol;
  const values = checker.getExportsOfModule(module).filter((each) => {
    const target = each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each;
    return target.flags & ts.SymbolFlags.Value;
  });
  return values.map((each) => each.name).sort();
}

describe("every declared value is exported, and no other", () => {
  it.each(names)("dist/%s.js", async (name) => {
    const loaded: object = await import(new URL(`../../dist/${name}.js`, import.meta.url).href);
    expect(declared(`dist/${name}.d.ts`)).toEqual(Object.keys(loaded).sort());
    expect(declared(`dist/${name}.d.ts`)).not.toHaveLength(0);
  });

  // Vitest can only be imported.
  it.each(names.filter((name) => name !== "mock/vitest"))("dist/%s.cjs", (name) => {
    const loaded: object = require(`../../dist/${name}.cjs`);
    expect(declared(`dist/${name}.d.cts`)).toEqual(Object.keys(loaded).sort());
  });
});
