import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { CURRENT, explainFileError, parseOptions, readVersion, UsageError, versionNames } from "./shared/arguments.ts";
import { EXIT_CODE, escapeControls, print, warn } from "./shared/output.ts";

/** The output of `billing upgrade --help`. */
export const help = `billing upgrade: move a project to another API version

Usage:
  $ billing upgrade --to ${CURRENT} [folder] [options]

Changes the version in quoted import paths of the package, for example in
"${manifest.name}/${versionNames[0]}/webhooks", in TypeScript, JavaScript, Vue, Svelte, Astro and MDX files.
Prints what changed between the versions, and the steps that are left.

Options:
      --to <YYYY-MM>  API version to move to: ${versionNames.join(", ")}
      --dry-run       Change nothing; only print what would change
      --json          Print the result as one line of JSON
  -h, --help          Print this help

Skipped: node_modules, dist, .git and symbolic links. Also skipped, and named: files that import both an
older version and the version to move to, and files of over 100 MB.

Exit codes: 0 success, also if nothing had to change, 1 failed, 2 invalid arguments
`;

const OPTIONS = {
  to: { type: "string" },
  "dry-run": { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** A file with imports to move, with its new text. */
interface Changed {
  readonly path: string;
  readonly after: string;
  readonly imports: readonly { readonly version: string; readonly line: number }[];
}

/** A file that is not searched or not changed, and why. */
type Skipped = { readonly path: string; readonly reason: string };

const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git", "dist"]);
const CODE = /\.([cm]?[jt]sx?|vue|svelte|astro|mdx)$/;

/** Matches a quoted import path: of an import in every form, but also of `jest.mock`, an alias or a commented line. */
const IMPORT = new RegExp(`(["'\`])${manifest.name}/(\\d{4}-\\d\\d)(?:/webhooks|/openapi\\.json)?\\1`, "g");

/** Runs `billing upgrade`. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions("billing upgrade", OPTIONS, args, 1);
  const to = readVersion("--to", values.to);
  if (to === undefined) throw new UsageError(`--to is missing; expected one of: ${versionNames.join(", ")}.`);
  const result = upgrade(positionals[0] ?? ".", to, values["dry-run"] ?? false);
  await print(values.json ? `${JSON.stringify(result)}\n` : format(result));
  return EXIT_CODE.success;
}

/**
 * Changes the imports in a folder, after reading every file. Returns the versions that the imports named, the changed and
 * skipped files, `CHANGES.md` of the versions in between, and the number of files that were found.
 */
function upgrade(folder: string, to: string, dryRun: boolean) {
  const paths = findFiles(folder);
  const skipped: Skipped[] = [];
  const changed = paths.flatMap((path) => change(path, to, skipped));
  for (const { path, reason } of skipped) warn("billing upgrade", `${path}: skipped, ${reason}.`);
  const from = [...new Set(changed.flatMap(({ imports }) => imports.map(({ version }) => version)))].sort();
  if (!dryRun) for (const file of changed) write(file);
  const files = changed.map(({ path, imports }) => ({ path, imports }));
  return { dryRun, to, from, files, skipped, changes: changesBetween([...from, to]), count: paths.length };
}

/** Lists the source files in a folder and its subfolders, in order. */
function findFiles(folder: string): string[] {
  return read(folder, () => [...walk(folder)].sort());
}

/** Reads files. The error names the file, or the given path. */
function read<Result>(given: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    const { path = given } = error as NodeJS.ErrnoException;
    throw new UsageError(`${path}: ${explainFileError(error)}.`);
  }
}

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile() && CODE.test(entry.name)) yield path;
    else if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* walk(path);
  }
}

/** An encoding that keeps each byte, so that files in any encoding change only where an import is. */
const BYTES = "latin1";

/** The maximum size of a file that is searched. A string of over 512 MiB does not exist, and no person wrote such a file. */
const MAX_BYTES = 100_000_000;

/** Changes the imports of older versions in a file. Returns nothing without one, or if the file compares two versions. */
function change(path: string, to: string, skipped: Skipped[]): Changed[] {
  const before = read(path, () => (statSync(path).size > MAX_BYTES ? undefined : readFileSync(path, BYTES)));
  if (before === undefined) skipped.push({ path, reason: "larger than 100 MB" });
  let [line, searched] = [1, 0];
  const imports: Changed["imports"][number][] = [];
  const after = before?.replace(IMPORT, (text, _quote, version, index) => {
    if (version >= to) return text;
    line += before.slice(searched, index).split("\n").length - 1;
    searched = index;
    imports.push({ version, line });
    return text.replace(version, to);
  });
  if (after === undefined || imports.length === 0) return [];
  const importsTarget = new RegExp(`^(?![ \\t]*(?://|/?\\*)).*?["'\`]${manifest.name}/${to}["'\`/]`, "m");
  if (!importsTarget.test(before ?? "")) return [{ path, after, imports }];
  skipped.push({ path, reason: `it already imports ${to} besides ${imports[0]?.version}` });
  return [];
}

function write({ path, after }: Changed): void {
  try {
    // The text has the same length as before, so a full disk never truncates the file.
    writeFileSync(path, after, { encoding: BYTES, flag: "r+" });
  } catch (error) {
    throw new Error(`${path}: ${explainFileError(error)}. Files before it are changed; run the command again.`);
  }
}

/** The package from `cli/` or from `dist/cli/`. */
const ROOT = import.meta.url.endsWith(".ts") ? "../" : "../../";

/** Returns `CHANGES.md` of each version after the first of some versions, up to the last. */
function changesBetween(versions: readonly string[]): string[] {
  const [first = "", last = ""] = [versions.toSorted().at(0), versions.toSorted().at(-1)];
  return versionNames
    .filter((name, index) => index > 0 && name > first && name <= last)
    .map((name) => {
      const text = readFileSync(new URL(`${ROOT}versions/${name}/CHANGES.md`, import.meta.url), "utf8");
      return text.replace(/<!--.*?-->\n\n?/gs, "").trim();
    });
}

function format({ files, skipped, from, to, dryRun, changes, count }: ReturnType<typeof upgrade>): string {
  if (files.length === 0)
    return `No import to move to ${to} in ${counted(count - skipped.length, "file")}; ${skipped.length} skipped.\n`;
  const imports = files.reduce((sum, each) => sum + each.imports.length, 0);
  const what = `${counted(imports, "import")} in ${counted(files.length, "file")} from ${from.join(" and ")} to ${to}`;
  const unknown = from.filter((version) => version < versionNames[0]);
  return [
    `${dryRun ? "Would change" : "Changed"} ${what}:`,
    ...files.map(
      (file) => `  ${escapeControls(file.path)}:${[...new Set(file.imports.map(({ line }) => line))].join(", ")}`,
    ),
    ...(from.length > 1 ? [`Code that handled ${from.join(" and ")} differently now gets ${to} everywhere.`] : []),
    ...changes.map((text) => `\n${text}`),
    ...unknown.map(
      (version) => `\nThis package no longer contains ${version}: read its release notes for what changed since.`,
    ),
    "",
    ...formatSteps(from, to, dryRun),
    "",
  ].join("\n");
}

/** Lists the steps of section 9.6 of the specification that are left. */
function formatSteps(from: readonly string[], to: string, dryRun: boolean): string[] {
  const before = from.map((version) => JSON.stringify(version)).join(", ");
  return [
    "Still to do:",
    ...(dryRun ? ["  - Run the command again without --dry-run."] : []),
    `  - Search the project for ${from.join(" and ")}, for example in paths of tsconfig.json, in --version`,
    "    of scripts, in the value of api_version, and in pages.",
    "  - Compile, and run your tests against the mock, then against the sandbox.",
    `  - If you receive webhooks: a receiver of ${to} rejects the deliveries of other versions. Deploy it with`,
    `    versions: [${before}] first, then set api_version of your webhook endpoints to ${to}.`,
    `  - Deploy, and check that the header Service-Version of responses is ${to}.`,
  ];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
