import ts from "typescript";

const VAGUE = /^(?:What|How|Which|Where|Who|Whoever|When|Why)\b/;
/** Matches the types of constants that need no doc comment: the type, or its argument, has one. */
const DESCRIBED_BY_TYPE =
  /^(?:(?:ZodSchema|Operation|PagedOperation|PolicyFields|KindOf|RoutesOf|HandlersOf)<|FieldKind$|\w+Policy$)/;

/** Lists the declarations of a file that break the rules for doc comments, as `file:line: problem`. */
export function docProblems(file: string, code: string): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const problems: string[] = [];
  const report = (node: ts.Node, problem: string): void => {
    problems.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${problem}`);
  };
  for (const statement of source.statements) {
    if (isExported(statement) && needsComment(statement)) checkDeclaration(statement, report);
  }
  return problems;
}

type Report = (node: ts.Node, problem: string) => void;

function isExported(node: ts.Node): boolean {
  return ts.canHaveModifiers(node) && (node.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

/** Leaves out constants that their type describes. */
function needsComment(statement: ts.Statement): boolean {
  if (!ts.isVariableStatement(statement)) return true;
  const type = statement.declarationList.declarations[0]?.type?.getText() ?? "";
  return !DESCRIBED_BY_TYPE.test(type) || textOf(statement) !== undefined;
}

function checkDeclaration(node: ts.Statement, report: Report): void {
  const text = textOf(node);
  if (text === undefined && !isOverload(node)) report(node, `${nameOf(node)} has no doc comment`);
  checkWords(node, text, report);
  if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) {
    for (const member of node.members) checkWords(member, textOf(member), report);
  }
}

function checkWords(node: ts.Node, text: string | undefined, report: Report): void {
  const [first] = /^\w+/.exec(text ?? "") ?? [""];
  const isVague = VAGUE.test(first) || (first === "Whether" && !isBoolean(node));
  if (isVague) report(node, `the doc comment of ${nameOf(node)} starts with "${first}"`);
}

/** Returns the text of the doc comment directly before a node. A file comment (`@module`) does not count. */
function textOf(node: ts.Node): string | undefined {
  const docs = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const last = docs.at(-1);
  return last === undefined ? undefined : (ts.getTextOfJSDocComment(last.comment) ?? "");
}

/** Returns whether another declaration of the same function, which has the doc comment, precedes this one. */
function isOverload(node: ts.Statement): boolean {
  if (!ts.isFunctionDeclaration(node)) return false;
  const siblings = node.getSourceFile().statements;
  return siblings
    .slice(0, siblings.indexOf(node))
    .some((other) => ts.isFunctionDeclaration(other) && other.name?.text === node.name?.text);
}

function isBoolean(node: ts.Node): boolean {
  const type = (node as { type?: ts.TypeNode }).type?.getText() ?? "";
  return /^(?:readonly )?(?:boolean|true|false|\w+ is )/.test(type) || /=> (?:boolean|\w+ is )/.test(type);
}

function nameOf(node: ts.Node): string {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations[0]?.name.getText() ?? "?";
  return (node as { name?: ts.Node }).name?.getText() ?? "?";
}
