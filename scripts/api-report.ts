import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { entryPoints } from "./entry-points.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Reads only the declarations, which takes a second: the types of the language and of packages are not loaded. */
const options: ts.CompilerOptions = {
  noLib: true,
  types: [],
  strict: true,
  removeComments: true,
  isolatedDeclarations: true,
  allowImportingTsExtensions: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
};

/**
 * Returns every declaration that users can reach: the entry points' exports, and the declarations that they refer to. Groups
 * them by the version that declares them, or under "shared". Replaces doc comments with the names of the entry points.
 *
 * @param replacements Contents that replace source files, by path from the root of the project.
 */
export function apiReports(replacements: ReadonlyMap<string, string> = new Map()): Map<string, string> {
  const program = declarationProgram(replacements);
  const checker = program.getTypeChecker();
  const exportedBy = new Map<ts.Symbol, string[]>();
  const add = (found: ts.Symbol, ...entries: readonly string[]) => {
    const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    const names = entries.map((entry) => (found.name === symbol.name ? entry : `${entry} as ${found.name}`));
    if (statementsOf(symbol).length > 0) exportedBy.set(symbol, [...(exportedBy.get(symbol) ?? []), ...names]);
  };
  for (const [output, source] of Object.entries(entryPoints())) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(resolve(root, source)) as ts.SourceFile);
    const entry = `./${output.replace(/^versions\/|\/?index$/g, "")}`;
    for (const symbol of checker.getExportsOfModule(module as ts.Symbol)) add(symbol, entry);
  }
  const addReferences = (node: ts.Node): void => {
    const symbol = ts.isIdentifier(node) && checker.getSymbolAtLocation(node);
    if (symbol) add(symbol);
    node.forEachChild(addReferences);
  };
  // The loop also visits the symbols that it adds.
  for (const [symbol] of exportedBy) statementsOf(symbol).forEach(addReferences);
  const reports = new Map<string, string>();
  const symbols = [...exportedBy.keys()].sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  for (const symbol of symbols) {
    const file = statementsOf(symbol)[0]?.getSourceFile().fileName ?? "";
    const name = /\/versions\/(\d{4}-\d\d)\//.exec(file)?.[1] ?? "shared";
    const entries = exportedBy.get(symbol)?.join(", ");
    reports.set(name, `${reports.get(name) ?? ""}\n${entries ? `// ${entries}\n` : ""}${codeOf(symbol)}\n`);
  }
  return reports;
}

const printer = ts.createPrinter({ removeComments: true });

/** Returns a declaration; of an overloaded function, all. A long list has a line for each string. */
function codeOf(symbol: ts.Symbol): string {
  const texts = statementsOf(symbol).map((each) =>
    printer.printNode(ts.EmitHint.Unspecified, each, each.getSourceFile()),
  );
  return texts.map((text) => text.replace(/^(?:export |declare )+/, "").replaceAll('", "', '",\n    "')).join("\n");
}

/** Returns the statements at the top level of a file that declare a symbol; none for members and type parameters. */
function statementsOf({ declarations = [] }: ts.Symbol): ts.Statement[] {
  const nodes: ts.Node[] = declarations.map((node) => (ts.isVariableDeclaration(node) ? node.parent.parent : node));
  return nodes.filter((node): node is ts.Statement => ts.isStatement(node) && ts.isSourceFile(node.parent));
}

/** Returns a program that consists of the declarations of the source files, without comments and function bodies. */
function declarationProgram(replacements: ReadonlyMap<string, string>): ts.Program {
  const getSourceFile: ts.CompilerHost["getSourceFile"] = (file, target) => {
    const text = replacements.get(relative(root, file)) ?? readFileSync(file, "utf8");
    const declared = ts.transpileDeclaration(text, { fileName: file, compilerOptions: options });
    return ts.createSourceFile(file, declared.outputText, target, true);
  };
  const fileExists = (file: string) => !file.includes("/node_modules/") && ts.sys.fileExists(file);
  const files = Object.values(entryPoints()).map((source) => resolve(root, source));
  return ts.createProgram(files, options, { ...ts.createCompilerHost(options), getSourceFile, fileExists });
}
