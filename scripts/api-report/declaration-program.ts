import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** Contents that replace source files, by path from the root of the project. */
export type Replacements = ReadonlyMap<string, string>;

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Reads only the declarations, which takes a second: the types of the language and of packages are not loaded. */
const options: ts.CompilerOptions = {
  noLib: true,
  types: [],
  noEmit: true,
  strict: true,
  removeComments: true,
  isolatedDeclarations: true,
  allowImportingTsExtensions: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
};

/** Returns a program that consists of the declarations of source files, without comments and function bodies. */
export function declarationProgram(sources: readonly string[], replacements: Replacements): ts.Program {
  const host = ts.createCompilerHost(options);
  const getSourceFile: ts.CompilerHost["getSourceFile"] = (file, target) => {
    const text = declarationsOf(file, replacements.get(relative(root, file)) ?? readFileSync(file, "utf8"));
    return ts.createSourceFile(file, text, target, true);
  };
  const files = sources.map((source) => resolve(root, source));
  return ts.createProgram(files, options, { ...host, getSourceFile, fileExists: isOfProject });
}

/** Whether a file exists and is not part of a package. */
function isOfProject(file: string): boolean {
  return !file.includes("/node_modules/") && ts.sys.fileExists(file);
}

/** Returns the declarations in a file. One that needs an explicit type has a comment that says so. */
function declarationsOf(file: string, text: string): string {
  if (/\.(json|css|html)$/.test(file)) return "export {};";
  return ts.transpileDeclaration(text, { fileName: file, compilerOptions: options }).outputText;
}

/** Returns the path of a file from the root of the project. */
export function pathFromRoot({ fileName }: ts.SourceFile): string {
  return relative(root, fileName);
}
