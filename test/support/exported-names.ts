import ts from "typescript";

/** A declaration with the keyword `export`: its name and its file. Re-exports do not count. */
export interface ExportedName {
  readonly name: string;
  readonly file: string;
}

/** Lists the declarations that a file exports. */
export function exportedNames(file: string, code: string): ExportedName[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const exported = source.statements.filter(
    (statement) =>
      ts.canHaveModifiers(statement) &&
      (statement.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
  );
  return exported.flatMap(namesOf).map((name) => ({ name, file }));
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map((declaration) => declaration.name.getText());
  }
  const { name } = statement as { readonly name?: ts.Identifier };
  return name === undefined ? [] : [name.text];
}

/** Returns the names that several files declare, with these files. */
export function sharedNames(names: readonly ExportedName[]): Map<string, readonly string[]> {
  const files = new Map<string, Set<string>>();
  for (const { name, file } of names) files.set(name, (files.get(name) ?? new Set()).add(file));
  const shared = [...files].filter(([, declaring]) => declaring.size > 1);
  return new Map(shared.map(([name, declaring]) => [name, [...declaring]]));
}
