import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The test files that prove a rule or an assumption, sorted, by its id. */
export type Proofs = ReadonlyMap<string, readonly string[]>;

const root = fileURLToPath(new URL("../../", import.meta.url));
const declarations: ReadonlySet<string> = new Set(["it", "test", "describe"]);
const skips: ReadonlySet<string> = new Set(["skip", "todo"]);

/** Returns the rules and assumptions that the tests of the project prove, from the names of the tests. */
export function proofs(): Proofs {
  const found = new Map<string, Set<string>>();
  for (const file of globSync("test/**/*.test.ts", { cwd: root }).sort()) {
    for (const id of idsIn(readFileSync(root + file, "utf8"))) {
      found.set(id, (found.get(id) ?? new Set()).add(file));
    }
  }
  return new Map([...found].map(([id, files]) => [id, [...files]]));
}

/** Returns the ids at the start of the names of tests and groups. Skipped ones do not count. */
export function idsIn(code: string): string[] {
  const source = ts.createSourceFile("test.ts", code, ts.ScriptTarget.ES2022, true);
  return namesUnder(source).flatMap(idsOf);
}

/** Returns the ids before the colon in a name such as `LIF-3, LIF-4: fact`. */
function idsOf(name: string): string[] {
  const listed = /^((?:G-[A-Z0-9-]+|[A-Z]{3}-\d+)(?:, (?:G-[A-Z0-9-]+|[A-Z]{3}-\d+))*): /.exec(name)?.[1];
  return listed?.split(", ") ?? [];
}

function namesUnder(node: ts.Node): string[] {
  const words = ts.isCallExpression(node) ? wordsOf(node.expression) : [];
  if (words.some((word) => skips.has(word))) return [];
  const own = declarations.has(words[0] ?? "") ? nameOf(node as ts.CallExpression) : undefined;
  const inner: string[] = [];
  ts.forEachChild(node, (child) => {
    inner.push(...namesUnder(child));
  });
  return own === undefined ? inner : [own, ...inner];
}

/** Returns the names in a callee: `it` and `each` for `it.each(rows)("name", …)`. */
function wordsOf(called: ts.Expression): string[] {
  if (ts.isIdentifier(called)) return [called.text];
  if (ts.isPropertyAccessExpression(called)) return [...wordsOf(called.expression), called.name.text];
  return ts.isCallExpression(called) ? wordsOf(called.expression) : [];
}

function nameOf({ arguments: [name] }: ts.CallExpression): string | undefined {
  if (name === undefined) return undefined;
  if (ts.isStringLiteralLike(name)) return name.text;
  return ts.isTemplateExpression(name) ? name.head.text : undefined;
}

/** The last column of a row without a test. */
const UNPROVED = "not yet";

const row = /^\| ([A-Z]+-[A-Z0-9-]+) \|(.*)\|[^|]*\|$/;

/** Returns the ids of the rows of the table, in order. */
export function idsOfTable(markdown: string): string[] {
  return markdown.split("\n").flatMap((line) => row.exec(line)?.[1] ?? []);
}

/** Sets the last column of every row to the tests that prove it. Names, not links, because the package has no tests. */
export function withProofs(markdown: string, proofs: Proofs): string {
  return markdown
    .split("\n")
    .map((line) => line.replace(row, (_line, id, middle) => `| ${id} |${middle}| ${names(proofs.get(id) ?? [])} |`))
    .join("\n");
}

function names(files: readonly string[]): string {
  if (files.length === 0) return UNPROVED;
  return files.map((file) => file.replace(/^test\/|\.test\.ts$/g, "")).join(", ");
}
