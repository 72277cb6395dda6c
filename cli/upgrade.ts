import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { CURRENT, parseOptions, readVersion, UsageError, versionNames } from "./shared/arguments.ts";
import { explainFileError, explainingFile } from "./shared/files.ts";
import { type EnvironmentVariables, EXIT_CODE, escapeControls, type Terminal } from "./shared/terminal.ts";

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
  -h, --help          Print this help

Skipped: node_modules, dist, .git and symbolic links. Also skipped, and named: files that import both an
older version and the version to move to.

Exit codes: 0 success, also if nothing had to change, 1 failed, 2 invalid arguments
`;

const OPTIONS = { to: { type: "string" }, "dry-run": { type: "boolean" } } as const;

/** A file with imports to move, with its new text. */
interface Changed {
  readonly path: string;
  readonly after: string;
  readonly versions: readonly string[];
}

const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git", "dist"]);
const CODE = /\.([cm]?[jt]sx?|vue|svelte|astro|mdx)$/;

/** Matches a quoted import path: of an import in every form, but also of `jest.mock`, an alias or a commented line. */
const IMPORT = new RegExp(`(["'\`])${manifest.name}/(\\d{4}-\\d\\d)(?:/webhooks|/openapi\\.json)?\\1`, "g");

/** An encoding that keeps each byte, so that files in any encoding change only where an import is. */
const BYTES = "latin1";

/** Runs `billing upgrade`: reads every file of a folder, and then changes the imports. */
export async function run(args: readonly string[], _env: EnvironmentVariables, terminal: Terminal): Promise<number> {
  const { values, positionals } = parseOptions(OPTIONS, args, 1);
  const to = readVersion("--to", values.to);
  if (to === undefined) throw new UsageError(`--to is missing; expected one of: ${versionNames.join(", ")}.`);
  const { "dry-run": dryRun = false } = values;
  const [folder = "."] = positionals;
  const paths = explainingFile(folder, () => [...filesIn(folder)].sort());
  const files = paths.flatMap((path) => change(path, to, terminal));
  if (!dryRun) for (const file of files) write(file);
  await terminal.print(format(files, to, dryRun, paths.length));
  return EXIT_CODE.success;
}

/** Finds the source files in a folder and its subfolders. */
function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile() && CODE.test(entry.name)) yield path;
    else if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* filesIn(path);
  }
}

/** Changes the imports of older versions in a file. Returns nothing without one, or if the file compares two versions. */
function change(path: string, to: string, terminal: Terminal): Changed[] {
  const before = explainingFile(path, () => readFileSync(path, BYTES));
  const versions: string[] = [];
  const after = before.replace(IMPORT, (text, _quote, version) => {
    if (version >= to) return text;
    versions.push(version);
    return text.replace(version, to);
  });
  if (versions.length === 0) return [];
  const importsTarget = new RegExp(`^(?![ \\t]*(?://|/?\\*)).*?["'\`]${manifest.name}/${to}["'\`/]`, "m");
  if (!importsTarget.test(before)) return [{ path, after, versions }];
  terminal.warn(`${path}: skipped, it already imports ${to} besides ${versions[0]}.`);
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

/** Returns `CHANGES.md` of each version after one up to another. */
function changesBetween(first: string, last: string): string[] {
  return versionNames.slice(1).flatMap((name) => {
    if (name <= first || name > last) return [];
    const text = readFileSync(new URL(`${ROOT}versions/${name}/CHANGES.md`, import.meta.url), "utf8");
    return `\n${text.replace(/<!--.*?-->\n\n?/gs, "").trim()}`;
  });
}

function format(files: readonly Changed[], to: string, dryRun: boolean, searched: number): string {
  const all = files.flatMap(({ versions }) => versions);
  const from = [...new Set(all)].sort();
  const [first] = from;
  if (first === undefined) return `No import to move to ${to} in ${searched} files.\n`;
  const versions = from.join(" and ");
  return `${[
    `${dryRun ? "Would change" : "Changed"} ${all.length} imports in ${files.length} files from ${versions} to ${to}:`,
    ...files.map(({ path }) => `  ${escapeControls(path)}`),
    ...(from.length > 1 ? [`Code that handled ${versions} differently now gets ${to} everywhere.`] : []),
    ...(first < versionNames[0] ? [`\nFor ${first}, which this package no longer has, read its release notes.`] : []),
    ...changesBetween(first, to),
    // The steps of section 9.6 of the specification that are left.
    "\nStill to do:",
    ...(dryRun ? ["  - Run the command again without --dry-run."] : []),
    `  - Search the project for ${versions}, for example in paths of tsconfig.json, in --version`,
    "    of scripts, in the value of api_version, and in pages.",
    "  - Compile, and run your tests against the mock, then against the sandbox.",
    `  - If you receive webhooks: a receiver of ${to} rejects the deliveries of other versions. Deploy it with`,
    `    versions: ${JSON.stringify(from)} first, then set api_version of your webhook endpoints to ${to}.`,
    `  - Deploy, and check that the header Service-Version of responses is ${to}.`,
  ].join("\n")}\n`;
}
