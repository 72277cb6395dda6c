import { parser } from "@lezer/javascript";

/** The place of an import in a program. */
export interface Import {
  /** What is imported: `@billing-service/sdk/mock`. */
  readonly name: string;
  /** The start of the string, with its quote. */
  readonly from: number;
  /** The end of the string, with its quote. */
  readonly to: number;
}

const STATEMENTS = ["ImportDeclaration", "ExportDeclaration", "DynamicImport"];

/** Finds a program's imports: statements, and `import(…)` with a string. */
export function findImports(code: string): readonly Import[] {
  const imports: Import[] = [];
  parser.parse(code).iterate({
    enter: ({ name, from, to, node }) => {
      if (name !== "String" || !STATEMENTS.includes(node.parent?.name ?? "")) return;
      imports.push({ name: code.slice(from + 1, to - 1), from, to });
    },
  });
  return imports;
}

/** Returns the line of the first syntax error of a program, from 1; undefined if there is none. */
export function lineOfSyntaxError(code: string): number | undefined {
  let line: number | undefined;
  parser.parse(code).iterate({
    enter: ({ type, from }) => {
      if (type.isError) line ??= lineAt(code, from);
    },
  });
  return line;
}

/** Returns the line of a position, from 1. */
export function lineAt(code: string, position: number): number {
  return code.slice(0, position).split("\n").length;
}
