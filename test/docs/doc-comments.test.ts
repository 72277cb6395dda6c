import { globSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";

const FOLDERS = ["src", "versions", "mock", "conformance", "cli"];

/** Matches the types of constants that need no doc comment: the type, or its argument, has one. */
const DESCRIBED_BY_TYPE = /^(?:(?:ZodSchema|Operation|PagedOperation|RulesOf)<|FieldType$)/;

/** Lists the exported declarations of a file that have no doc comment, as `file:line: name`. */
function undocumented(file: string, code: string): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const exported = source.statements.filter(
    (node) => ts.canHaveModifiers(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
  );
  const names = new Set<string>();
  return exported.flatMap((node) => {
    const declared = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : node;
    const { name, type } = (declared ?? {}) as { name?: ts.Node; type?: ts.TypeNode };
    const text = name?.getText() ?? "?";
    // The first declaration of an overloaded function has the comment.
    const isOverload = names.has(text);
    names.add(text);
    const isDescribed = ts.isVariableStatement(node) && DESCRIBED_BY_TYPE.test(type?.getText() ?? "");
    if (isOverload || isDescribed || ts.getJSDocCommentsAndTags(node).some(ts.isJSDoc)) return [];
    return `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${text}`;
  });
}

it.each(FOLDERS)("every exported declaration in %s has a doc comment", (folder) => {
  const files = globSync(`${folder}/**/*.{ts,tsx}`);
  expect(files.length).toBeGreaterThan(0);
  expect(files.flatMap((file) => undocumented(file, ts.sys.readFile(file) ?? ""))).toEqual([]);
});
