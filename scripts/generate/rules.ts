import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The files with tests and checks that prove a rule or an assumption, sorted, by its id. */
export type Proofs = ReadonlyMap<string, readonly string[]>;

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Returns the rules and assumptions that tests and checks of the project prove, from the names of the tests and the ids of the
 * checks.
 */
export function proofs(): Proofs {
  const found = new Map<string, Set<string>>();
  for (const file of globSync("test/**/*.test.ts", { cwd: root }).sort()) {
    for (const id of idsIn(readFileSync(root + file, "utf8"))) {
      found.set(id, (found.get(id) ?? new Set()).add(file));
    }
  }
  const checks = globSync("conformance/checks/*.ts", { cwd: root }).filter((file) => !file.includes("unobservable"));
  for (const file of checks.sort()) {
    for (const [, id = ""] of readFileSync(root + file, "utf8").matchAll(/"(G-[A-Z0-9-]+|[A-Z]{3}-\d+)"/g)) {
      found.set(id, (found.get(id) ?? new Set()).add(file));
    }
  }
  return new Map([...found].map(([id, files]) => [id, [...files]]));
}

/** Returns the ids at the start of the names of tests and groups: `LIF-3, LIF-4: fact`. */
function idsIn(code: string): string[] {
  const names = code.matchAll(/["`]((?:G-[A-Z0-9-]+|[A-Z]{3}-\d+)(?:, (?:G-[A-Z0-9-]+|[A-Z]{3}-\d+))*): /g);
  return [...names].flatMap(([, ids = ""]) => ids.split(", "));
}

const row = /^\| ([A-Z]+-[A-Z0-9-]+) \|(.*)\|$/;

/** Returns the ids of the rows of the tables in `docs/rules.md`, in order. */
export function idsOfTable(markdown: string): string[] {
  return rowsOf(markdown).map(([id]) => id);
}

/** Returns the id and the other cells of every row. */
function rowsOf(markdown: string): [id: string, cells: readonly string[]][] {
  const matches = markdown.split("\n").flatMap((line) => [...line.matchAll(new RegExp(row, "g"))]);
  return matches.map(([, id = "", cells = ""]) => [id, cells.split(" | ").map((cell) => cell.trim())]);
}

/** Returns the page that names the checks and the tests of every row of `docs/rules.md`. */
export function coveragePage(markdown: string, proofs: Proofs): string {
  const rows = idsOfTable(markdown).map((id) => `| ${id} | ${names(proofs.get(id) ?? [])} |`);
  return `# Coverage of the rules

<!-- Written by \`npm run generate\` from the names of the tests, which start with an id, and from the checks. -->

The checks and the tests of each entry of [Rules and assumptions](../rules.md). \`test/conformance/mocks.test.ts\` runs
the checks against the mock, as a test per entry; \`test/docs/rules.test.ts\` fails if an entry has neither.

| id | covered by |
| --- | --- |
${rows.join("\n")}
`;
}

function names(files: readonly string[]): string {
  return files.map((file) => file.replace(/^test\/|(\.test)?\.ts$/g, "")).join(", ");
}

/** The longest title of an assumption, in characters. */
const LONGEST_TITLE = 120;

/** Returns the content of `conformance/rules.json`: the text of every row of `docs/rules.md`, by its id. */
export function ruleTitles(markdown: string): Readonly<Record<string, string>> {
  const titles = rowsOf(markdown).map(([id, [, text = "", choice]]) => {
    const whole = choice === undefined ? text : `${text}: ${choice}`;
    const title = id.startsWith("G-") && whole.length > LONGEST_TITLE ? text : whole;
    return [id, title.replaceAll("`", "")];
  });
  return Object.fromEntries(titles);
}
