import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { isVersion } from "../src/lifecycle/index.ts";
import { CURRENT, explainFileError, parseOptions, readVersion, UsageError, versionNames } from "./shared/arguments.ts";
import { EXIT_CODE, escapeControls, print } from "./shared/output.ts";

/** The output of `billing upgrade --help`. */
export const help = `billing upgrade: move a project to another API version

Usage:
  $ billing upgrade --to ${CURRENT} [folder] [options]

Changes the version in quoted import paths of the package, for example in
"${manifest.name}/${versionNames[0]}/webhooks", in TypeScript, JavaScript, Vue, Svelte, Astro and MDX files.
Prints what changed between the versions, and the steps that are left.

Options:
      --to <YYYY-MM>    API version to move to: ${versionNames.join(", ")}
      --from <YYYY-MM>  Only move imports of this version; repeatable (default: every older version)
      --dry-run         Change nothing; only print what would change
      --json            Print the result as one line of JSON
  -h, --help            Print this help

Skipped: node_modules, dist, .git, symbolic links, and what git ignores. Either all files are changed or none.

Exit codes: 0 success, also if nothing had to change, 1 failed; no file was changed, 2 invalid arguments
`;

const OPTIONS = {
  to: { type: "string" },
  from: { type: "string", multiple: true },
  "dry-run": { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** A file with imports to move, with its old and its new text. */
interface Changed {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly imports: readonly { readonly version: string; readonly line: number }[];
}

interface Result {
  readonly dryRun: boolean;
  readonly to: string;
  /** The versions that the changed imports named, oldest first. */
  readonly from: readonly string[];
  readonly files: readonly Pick<Changed, "path" | "imports">[];
  /** `CHANGES.md` of the versions in between. */
  readonly changes: readonly string[];
  /** Files that were not searched, because they are too large. */
  readonly unread: readonly string[];
  /** The number of files. */
  readonly count: number;
}

const MAX_FILES = 50_000;
const MAX_FILE_BYTES = 5 * 1024 * 1024;
const MAX_LIST_BYTES = 256 * 1024 * 1024;

const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git", "dist"]);
const CODE = /\.([cm]?[jt]sx?|vue|svelte|astro|mdx)$/;

/** Matches a quoted import path: of an import in every form, but also of `jest.mock`, an alias or a commented line. */
const IMPORT = new RegExp(`(["'\`])${manifest.name}/(\\d{4}-\\d\\d)(?:/webhooks|/openapi\\.json)?\\1`, "g");

/** Runs `billing upgrade`. Plans everything before the first file is changed. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions("billing upgrade", OPTIONS, args, 1);
  const to = readVersion("--to", values.to);
  if (to === undefined) throw new UsageError(`--to is missing; expected one of: ${versionNames.join(", ")}.`);
  const invalid = values.from?.find((given) => !isVersion(given));
  if (invalid !== undefined)
    throw new UsageError(`--from must be an API version such as ${CURRENT}, not "${invalid}".`);
  const isMoved = (version: string) =>
    version !== to && isVersion(version) && (values.from === undefined ? version < to : values.from.includes(version));
  const folder = positionals[0] ?? ".";
  const paths = findFiles(folder).map((path) => join(folder, path));
  const unread = paths.filter((path) => statSync(path).size > MAX_FILE_BYTES);
  const files = paths.flatMap((path) => (unread.includes(path) ? [] : change(path, to, isMoved)));
  const from = [...new Set(files.flatMap(({ imports }) => imports.map(({ version }) => version)))].sort();
  const { "dry-run": dryRun = false, json } = values;
  if (!dryRun) replaceFiles(files);
  const listed = files.map(({ path, imports }) => ({ path, imports }));
  const result = {
    dryRun,
    to,
    from,
    files: listed,
    changes: changesBetween([...from, to]),
    unread,
    count: paths.length,
  };
  await print(json ? `${JSON.stringify(result)}\n` : format(result));
  return EXIT_CODE.success;
}

/** Lists the files in a folder and its subfolders. Skips dependencies, build output, links, and what git ignores. */
function findFiles(folder: string): string[] {
  if (!isDirectory(folder)) throw new UsageError(`${folder} is not a folder.`);
  const isOwn = (path: string) => CODE.test(path) && !path.split(/[\\/]/).some((name) => SKIPPED.has(name));
  // Git also lists files that were deleted.
  const isFile = (path: string) => lstatSync(join(folder, path), { throwIfNoEntry: false })?.isFile() ?? false;
  const files = [...(listWithGit(folder) ?? walk(folder))].filter((path) => isOwn(path) && isFile(path));
  if (files.length <= MAX_FILES) return files.sort();
  throw new UsageError(`${folder} contains more than ${MAX_FILES} source files. Pass the folder of one package.`);
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new UsageError(`${path}: ${explainFileError(error)}.`);
  }
}

/** The configuration of a repository may name programs that git runs. */
const WITHOUT_PROGRAMS = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/**
 * Lists what git does not ignore; undefined outside of a repository.
 *
 * @throws Error when git cannot list the files of a repository.
 */
function listWithGit(folder: string): Set<string> | undefined {
  const args = [...WITHOUT_PROGRAMS, "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const options = { cwd: folder, encoding: "utf8", maxBuffer: MAX_LIST_BYTES } as const;
  const { status, stdout, stderr, error } = spawnSync("git", args, options);
  if (status === 0) return new Set(stdout.split("\0"));
  if (!isInRepository(realpathSync(folder))) return undefined;
  const isMissing = (error as NodeJS.ErrnoException | undefined)?.code === "ENOENT";
  const reason = isMissing ? "git was not found" : (error?.message ?? stderr.trim());
  throw new Error(
    `${folder}: cannot tell which files git ignores: ${reason}. Run the command again when "git status" works in this ` +
      "folder. The command changed no files.",
  );
}

function isInRepository(folder: string): boolean {
  return existsSync(join(folder, ".git")) || (dirname(folder) !== folder && isInRepository(dirname(folder)));
}

function* walk(folder: string, below = ""): Generator<string> {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* walk(folder, path);
  }
}

/** An encoding that keeps each byte, so that files in any encoding change only where an import is. */
const BYTES = "latin1";

/** Changes the imports in a file. Returns nothing without one. */
function change(path: string, to: string, isMoved: (version: string) => boolean): Changed[] {
  const before = readFileSync(path, BYTES);
  const imports: Changed["imports"][number][] = [];
  const after = before.replace(IMPORT, (text, _quote, version, index) => {
    if (!isMoved(version)) return text;
    imports.push({ version, line: before.slice(0, index).split("\n").length });
    return text.replace(version, to);
  });
  return imports.length === 0 ? [] : [{ path, before, after, imports }];
}

/**
 * Writes the new text of all files, or of none.
 *
 * @throws Error when a file cannot be written. All files then have their old text.
 */
export function replaceFiles(files: readonly Pick<Changed, "path" | "before" | "after">[]): void {
  const failure = (path: string, reason: string) => new Error(`${path}: ${reason}. The command changed no files.`);
  const readOnly = files.find(({ path }) => (statSync(path).mode & 0o222) === 0);
  if (readOnly) throw failure(readOnly.path, "the file is read-only");
  // Ctrl+C has no effect while files are written.
  process.on("SIGINT", () => {});
  for (const [index, { path, after }] of files.entries()) {
    try {
      writeFileSync(path, after, BYTES);
    } catch (error) {
      for (const written of files.slice(0, index + 1)) writeFileSync(written.path, written.before, BYTES);
      throw failure(path, explainFileError(error));
    }
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

function format({ files, from, to, dryRun, changes, unread, count }: Result): string {
  const skipped =
    unread.length === 0 ? [] : [`Not searched (larger than 5 MiB): ${unread.map(escapeControls).join(", ")}`];
  if (files.length === 0)
    return [`Nothing to change: no import to move to ${to} in ${counted(count, "file")}.`, ...skipped, ""].join("\n");
  const imports = files.reduce((sum, each) => sum + each.imports.length, 0);
  const what = `${counted(imports, "import")} in ${counted(files.length, "file")} from ${from.join(" and ")} to ${to}`;
  const unknown = from.filter((version) => version < versionNames[0]);
  return [
    `${dryRun ? "Would change" : "Changed"} ${what}:`,
    ...files.map(
      (file) => `  ${escapeControls(file.path)}:${[...new Set(file.imports.map(({ line }) => line))].join(", ")}`,
    ),
    ...(from.length > 1 ? [`Code that handled ${from.join(" and ")} differently now gets ${to} everywhere.`] : []),
    ...skipped,
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
  const both = [...from, to].map((version) => JSON.stringify(version)).join(", ");
  return [
    "Still to do:",
    ...(dryRun ? ["  - Run the command again without --dry-run."] : []),
    `  - Search the project for ${from.join(" and ")}, for example in paths of tsconfig.json,`,
    "    in the value of api_version, and in pages.",
    "  - Compile, and run your tests against the mock, then against the sandbox.",
    `  - If you receive webhooks: a receiver of ${to} rejects the deliveries of other versions. Deploy it with`,
    `    versions: [${both}] first, then set api_version of your webhook endpoints to ${to}.`,
    `  - Deploy, and check that the header Service-Version of responses is ${to}.`,
  ];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
