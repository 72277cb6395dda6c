import ts from "typescript";
import { pathFromRoot } from "./declaration-program.ts";

/** A declaration that users of an entry point can reach. */
export interface Declaration {
  readonly name: string;
  /** The path of its source file, from the root of the project. */
  readonly file: string;
  /** The declaration without comments. Overloads are several statements. */
  readonly text: string;
}

/** What an entry point exports, and what these exports refer to. */
export interface Surface {
  /** The exported declarations, by their exported name. */
  readonly exported: ReadonlyMap<string, Declaration>;
  /** Every declaration, exported or not. */
  readonly all: readonly Declaration[];
}

/** Returns the declarations that an entry point exports, and every declaration of the project that these refer to. */
export function reachableDeclarations(program: ts.Program, entry: ts.SourceFile): Surface {
  const checker = program.getTypeChecker();
  const exports = checker.getExportsOfModule(checker.getSymbolAtLocation(entry) as ts.Symbol);
  const found = new Map<ts.Symbol, Declaration>();
  const waiting = exports.map((symbol) => target(symbol, checker));
  for (let symbol = waiting.pop(); symbol; symbol = waiting.pop()) {
    if (found.has(symbol)) continue;
    const statements = statementsOf(symbol);
    if (statements.length === 0) continue;
    found.set(symbol, describe(symbol, statements));
    waiting.push(...statements.flatMap((statement) => symbolsIn(statement, checker)));
  }
  const exported = exports.flatMap((symbol): [string, Declaration][] => {
    const declaration = found.get(target(symbol, checker));
    return declaration ? [[symbol.name, declaration]] : [];
  });
  return { exported: new Map(exported), all: [...found.values()] };
}

/** Returns the symbol that an import or re-export stands for. */
function target(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Returns the statements at the top level of a file that declare a symbol; none for members and type parameters. */
function statementsOf({ declarations = [] }: ts.Symbol): ts.Statement[] {
  const nodes: ts.Node[] = declarations.map((node) => (ts.isVariableDeclaration(node) ? node.parent.parent : node));
  return nodes.filter((node): node is ts.Statement => ts.isStatement(node) && ts.isSourceFile(node.parent));
}

function symbolsIn(node: ts.Node, checker: ts.TypeChecker): ts.Symbol[] {
  const own = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
  const inner: ts.Symbol[] = own ? [target(own, checker)] : [];
  node.forEachChild((child) => {
    inner.push(...symbolsIn(child, checker));
  });
  return inner;
}

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });

function describe({ name }: ts.Symbol, statements: readonly ts.Statement[]): Declaration {
  const file = (statements[0] as ts.Statement).getSourceFile();
  const texts = statements.map((each) => printer.printNode(ts.EmitHint.Unspecified, each, each.getSourceFile()));
  return { name, file: pathFromRoot(file), text: texts.map(format).join("\n") };
}

const MAX_LINE = 120;

/** Removes what is the same for every declaration, and breaks long unions and lists. */
function format(text: string): string {
  const plain = text.replace(/^(?:export |declare )+/, "");
  if (plain.length <= MAX_LINE || !/^(?:type|const) .*$/.test(plain)) return plain;
  return plain.replaceAll(" | ", "\n    | ").replaceAll('", "', '",\n    "');
}
