import { globSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The strictest common compiler options. */
const OPTIONS: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  allowImportingTsExtensions: true,
  typeRoots: [join(root, "node_modules/@types")],
  types: ["node"],
};

/** Compiles the programs in a folder. Returns each error with the line of the page that the program is from, or of its file. */
export function compilerErrors(folder: string): string[] {
  const files = globSync("**/*.{ts,mts}", { cwd: folder, exclude: ["**/node_modules/**"] }).map((name) =>
    join(folder, name),
  );
  return ts.getPreEmitDiagnostics(ts.createProgram(files, OPTIONS)).map(({ file, start, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
    return `${relative(folder, file?.fileName ?? "")}:${line} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}
