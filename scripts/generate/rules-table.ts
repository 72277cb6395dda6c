import type { Proofs } from "./proofs.ts";

/** The last column of a row without a test. */
export const UNPROVED = "not yet";

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
