import { readFileSync } from "node:fs";
import ts from "typescript";

/** A documented member of an interface or class. */
export interface Member {
  readonly name: string;
  /** The type as written, without `| undefined`; for a method, its function type. */
  readonly type: string;
  readonly optional: boolean;
  /** The parameters of a method. */
  readonly parameters?: readonly string[];
  /** A method's return type. */
  readonly returns?: string;
  readonly comment: Comment;
}

/** A documented interface or class. */
export interface Declaration {
  readonly name: string;
  readonly comment: Comment;
  /** The names of the types that it extends. */
  readonly bases: readonly string[];
  readonly members: readonly Member[];
}

/** A doc comment as Markdown. */
export interface Comment {
  readonly text: string;
  /** The descriptions of the parameters, by name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The texts of the other tags, by name; the first if there are several. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Reads the exported interfaces and classes of files, by name. */
export function declarationsIn(files: readonly string[]): ReadonlyMap<string, Declaration> {
  const nodes = files.flatMap((file) =>
    statementsOf(file).filter((node) => ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)),
  );
  return new Map(nodes.flatMap((node) => (node.name ? [[node.name.text, declarationOf(node)]] : [])));
}

/** Reads the types of files that are unions of strings, by name: `"debug" | "warn" | "off"`. */
export function literalUnions(files: readonly string[]): ReadonlyMap<string, string> {
  const aliases = files.flatMap((file) => statementsOf(file).filter(ts.isTypeAliasDeclaration));
  const unions = aliases.filter(({ type }) => ts.isUnionTypeNode(type) && type.types.every(ts.isLiteralTypeNode));
  return new Map(unions.map(({ name, type }) => [name.text, type.getText().replace(/\s+/g, " ")]));
}

function statementsOf(file: string): readonly ts.Statement[] {
  return ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true).statements.slice();
}

function declarationOf(node: ts.InterfaceDeclaration | ts.ClassDeclaration): Declaration {
  const bases = (node.heritageClauses ?? []).flatMap(({ types }) => types.map((type) => type.expression.getText()));
  return {
    name: node.name?.text ?? "",
    comment: commentOf(node),
    bases,
    members: [...node.members].flatMap((member) => memberOf(member) ?? []),
  };
}

function memberOf(node: ts.Node): Member | undefined {
  if (ts.isMethodSignature(node)) {
    const parameters = node.parameters.map((each) => each.getText());
    const returns = node.type?.getText() ?? "unknown";
    return { ...member(node, `(${parameters.join(", ")}) => ${returns}`), parameters, returns };
  }
  if (!ts.isPropertySignature(node) && !ts.isPropertyDeclaration(node)) return undefined;
  return member(node, node.type?.getText() ?? "");
}

function member(node: ts.PropertySignature | ts.PropertyDeclaration | ts.MethodSignature, type: string): Member {
  return {
    name: node.name.getText(),
    type: type
      .replace(/ \| undefined$/, "")
      .replace(/^\(([^()]*(?:\([^()]*\)[^()]*)*)\)$/, "$1")
      .replace(/\s+/g, " "),
    optional: node.questionToken !== undefined,
    comment: commentOf(node),
  };
}

function commentOf(node: ts.Node): Comment {
  const doc = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc);
  const tags = (doc?.tags ?? []).map((tag) => [tag, markdownOf(tag.comment)] as const);
  return {
    text: markdownOf(doc?.comment),
    parameters: Object.fromEntries(
      tags.flatMap(([tag, text]) => (ts.isJSDocParameterTag(tag) ? [[tag.name.getText(), text]] : [])),
    ),
    tags: Object.fromEntries(tags.map(([tag, text]) => [tag.tagName.text, text]).reverse()),
  };
}

/** Returns the text of a comment; links become code. Lines of a paragraph are joined. */
function markdownOf(comment: Parameters<typeof ts.getTextOfJSDocComment>[0]): string {
  const text = (ts.getTextOfJSDocComment(comment) ?? "").replaceAll(/\{@link (\w+)\s*\}/g, "`$1`");
  return text.replaceAll(/(?<!\n)\n(?!\n|- )\s*/g, " ").trim();
}

/** Returns a declaration's members, its own before the inherited ones. */
export function allMembers(name: string, declarations: ReadonlyMap<string, Declaration>): readonly Member[] {
  const declaration = declarations.get(name);
  if (declaration === undefined) throw new Error(`site/operations/doc-comments.ts finds no interface "${name}".`);
  const own = declaration.members;
  const inherited = declaration.bases
    .filter((base) => declarations.has(base))
    .flatMap((base) => allMembers(base, declarations))
    .filter((each) => !own.some(({ name: known }) => known === each.name));
  return [...own, ...inherited];
}
