import { pathToFileURL } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { entryPoints } from "../../scripts/entry-points.ts";

const names = Object.keys(entryPoints());
const program = ts.createProgram(
  names.map((name) => `dist/${name}.d.ts`),
  { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, strict: true, noEmit: true },
);
const checker = program.getTypeChecker();

/** Returns the names of values in the type declarations. */
function declared(name: string): string[] {
  const source = program.getSourceFile(`dist/${name}.d.ts`) as ts.SourceFile;
  const module = checker.getSymbolAtLocation(source) as ts.Symbol;
  const values = checker.getExportsOfModule(module).filter((each) => {
    const target = each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each;
    return target.flags & ts.SymbolFlags.Value;
  });
  return values.map((each) => each.name).sort();
}

describe("every declared value is exported, and no other", () => {
  it.each(names)("dist/%s", async (name) => {
    const loaded = (await import(pathToFileURL(`dist/${name}.js`).href)) as object;
    expect(declared(name)).toEqual(Object.keys(loaded).sort());
    expect(declared(name)).not.toHaveLength(0);
  });
});
