import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
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
      --from <YYYY-MM>  Only move imports of this version; can be repeated (default: every older version)
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

/** A place in a project that names a version. */
interface Place {
  readonly version: string;
  readonly path: string;
  readonly line: number;
}

interface Changed extends Replacement {
  readonly imports: readonly Place[];
}

/** The number of places that a line lists. */
const LISTED = 5;
const MAX_FILES = 50_000;
const MAX_FILE_BYTES = 5 * 1024 * 1024;
const MAX_LIST_BYTES = 256 * 1024 * 1024;

const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git", "dist"]);
const CODE = /\.([cm]?[jt]sx?|vue|svelte|astro|mdx)$/;
/** Files that are only searched. */
const PAGES = /\.(md|html|jsonc?)$/;

const IMPORT = new RegExp(`(["'\`])${manifest.name}/(\\d{4}-\\d\\d)(?:/webhooks|/openapi\\.json)?\\1`, "g");
const MENTION = new RegExp(`${manifest.name}/(\\d{4}-\\d\\d)(?![\\w-])`, "g");
const VERSION = /(["'`])(\d{4}-\d\d)\1/g;

/** Runs `billing upgrade`. Plans everything before the first file is changed. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseOptions("billing upgrade", OPTIONS, args, 1);
  const to = readVersion("--to", values.to);
  if (to === undefined) throw new UsageError(`--to is missing; expected one of: ${versionNames.join(", ")}.`);
  const invalid = values.from?.find((given) => !isVersion(given));
  if (invalid !== undefined)
    throw new UsageError(`--from must be an API version such as ${CURRENT}, not "${invalid}".`);
  const { paths, texts, unread } = readProject(positionals[0] ?? ".");
  const isMoved = (version: string) =>
    version !== to && isVersion(version) && (values.from === undefined ? version < to : values.from.includes(version));
  const files = texts.flatMap((file) => change(file, to, isMoved));
  const from = [...new Set(files.flatMap(({ imports }) => imports.map(({ version }) => version)))].sort();
  const rest = texts.map(({ path, before }) => ({
    path,
    text: files.find((file) => file.path === path)?.after ?? before,
  }));
  const mentions = rest.flatMap(({ path, text }) => placesOf(MENTION, 1, path, text));
  const { dryRun = false, ...result } = {
    dryRun: values["dry-run"],
    to,
    from,
    files: files.map(({ path, imports }) => ({
      path,
      imports: imports.map(({ version, line }) => ({ version, line })),
    })),
    changes: changesBetween([...from, to]),
    kept: mentions.filter(({ version }) => version !== to && !isMoved(version)),
    unchanged: mentions.filter(({ version }) => isMoved(version)),
    versionStrings: rest.flatMap(({ path, text }) =>
      placesOf(VERSION, 2, path, text).filter(({ version }) => from.includes(version)),
    ),
    unread,
    count: paths,
  };
  if (!dryRun) replaceFiles(files);
  await print(values.json ? `${JSON.stringify({ dryRun, ...result })}\n` : format({ dryRun, ...result }));
  return EXIT_CODE.success;
}

interface Result {
  readonly dryRun: boolean;
  readonly to: string;
  /** The versions that the changed imports named, oldest first. */
  readonly from: readonly string[];
  readonly files: readonly { readonly path: string; readonly imports: readonly Pick<Place, "version" | "line">[] }[];
  /** `CHANGES.md` of the versions in between. */
  readonly changes: readonly string[];
  /** Imports of other versions, for example of a newer one. */
  readonly kept: readonly Place[];
  /** Old versions outside of import paths, for example in pages. */
  readonly unchanged: readonly Place[];
  /** Strings that are the name of an old version, for example the value of `api_version`. */
  readonly versionStrings: readonly Place[];
  /** Files that were not searched, because they are too large or not UTF-8. */
  readonly unread: readonly string[];
  /** The number of files. */
  readonly count: number;
}

interface Project {
  /** The files that name the package. */
  readonly texts: readonly { readonly path: string; readonly before: string }[];
  readonly unread: readonly string[];
  readonly paths: number;
}

function readProject(folder: string): Project {
  const paths = findFiles(folder).map((path) => join(folder, path));
  const texts: { path: string; before: string }[] = [];
  const unread: string[] = [];
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for (const path of paths) {
    try {
      const before = statSync(path).size > MAX_FILE_BYTES ? undefined : utf8.decode(readFileSync(path));
      if (before === undefined) unread.push(path);
      else if (before.includes(manifest.name)) texts.push({ path, before });
    } catch (error) {
      if (!(error instanceof TypeError))
        throw new Error(`${path}: ${explainFileError(error)}. The command changed no files.`);
      unread.push(path);
    }
  }
  return { texts, unread, paths: paths.length };
}

/** Lists the files in a folder and its subfolders. Skips dependencies, build output, links, and what git ignores. */
function findFiles(folder: string): string[] {
  const isDirectory = attempt(folder, () => statSync(folder).isDirectory());
  if (!isDirectory) throw new UsageError(`${folder} is not a folder.`);
  const isOwn = (path: string) =>
    (CODE.test(path) || PAGES.test(path)) && !path.split(/[\\/]/).some((name) => SKIPPED.has(name));
  // Git also lists files that were deleted.
  const isFile = (path: string) => lstatSync(join(folder, path), { throwIfNoEntry: false })?.isFile() ?? false;
  const files = [...(listWithGit(folder) ?? walk(folder))].filter((path) => isOwn(path) && isFile(path));
  if (files.length <= MAX_FILES) return files.sort();
  throw new UsageError(`${folder} contains more than ${MAX_FILES} source files. Pass the folder of one package.`);
}

function attempt<Value>(path: string, read: () => Value): Value {
  try {
    return read();
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

/** Changes the quoted import paths in a file: of imports, but also of `jest.mock`, an alias or a commented line. */
function change(
  { path, before }: Project["texts"][number],
  to: string,
  isMoved: (version: string) => boolean,
): Changed[] {
  const imports = CODE.test(path) ? placesOf(IMPORT, 2, path, before).filter(({ version }) => isMoved(version)) : [];
  if (imports.length === 0) return [];
  const after = before.replace(IMPORT, (text, _quote, version) =>
    isMoved(version) ? text.replace(version, to) : text,
  );
  return [{ path, before, after, imports }];
}

function placesOf(pattern: RegExp, group: number, path: string, text: string): Place[] {
  return [...text.matchAll(pattern)].map((match) => {
    const line = text.slice(0, match.index).split(/\r\n|[\n\r\u2028\u2029]/).length;
    return { version: match[group] as string, path, line };
  });
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

function format(result: Result): string {
  const { files, from, to, dryRun, changes, kept, unchanged, unread, count } = result;
  const others = [...new Set(kept.map(({ version }) => version))].join(", ");
  const imports = files.reduce((sum, each) => sum + each.imports.length, 0);
  const what = `${counted(imports, "import")} in ${counted(files.length, "file")} from ${from.join(" and ")} to ${to}`;
  const unknown = from.filter((version) => version < (versionNames[0] as string));
  return [
    files.length === 0
      ? `Nothing to change: no import to move to ${to} in ${counted(count, "file")}.`
      : `${dryRun ? "Would change" : "Changed"} ${what}:`,
    ...files.map(
      (file) => `  ${escapeControls(file.path)}:${[...new Set(file.imports.map(({ line }) => line))].join(", ")}`,
    ),
    ...(kept.length === 0 ? [] : [`Not changed: ${others}: ${listPlaces(kept)}`]),
    ...(unchanged.length === 0 ? [] : [`Not changed, because these are not imports: ${listPlaces(unchanged)}`]),
    ...(from.length > 1 ? [`Code that handled ${from.join(" and ")} differently now gets ${to} everywhere.`] : []),
    ...(unread.length === 0
      ? []
      : [`Not searched (larger than 5 MiB, or not UTF-8): ${unread.map(escapeControls).join(", ")}`]),
    ...(files.length === 0 ? [] : changes.map((text) => `\n${text}`)),
    ...unknown.map(
      (version) => `\nThis package no longer contains ${version}: read its release notes for what changed since.`,
    ),
    ...(files.length === 0 ? [] : ["", ...formatTasks(result)]),
    "",
  ].join("\n");
}

/** Lists the steps of section 9.6 of the specification that are left. */
function formatTasks({ from, to, dryRun, versionStrings }: Result): string[] {
  const both = [...from, to].map((version) => JSON.stringify(version)).join(", ");
  const strings = versionStrings.length === 0 ? "" : ` Old versions in strings: ${listPlaces(versionStrings)}.`;
  return [
    "Still to do:",
    ...(dryRun ? ["  - Run the command again without --dry-run."] : []),
    "  - Compile, and run your tests against the mock, then against the sandbox.",
    `  - If you receive webhooks: a receiver of ${to} rejects the deliveries of other versions. Deploy it with`,
    `    versions: [${both}] first, then set api_version of your webhook endpoints to ${to}.${strings}`,
    `  - Deploy, and check that the header Service-Version of responses is ${to}.`,
  ];
}

function listPlaces(places: readonly Place[]): string {
  const listed = places.slice(0, LISTED).map(({ path, line }) => `${escapeControls(path)}:${line}`);
  const more = places.length - listed.length;
  return listed.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A file with its old and its new text. */
export interface Replacement {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

interface Prepared extends Replacement {
  readonly temporary: string;
}

/**
 * Replaces the text of all files, or of none: the new texts are written beside the files first, and renamed when all are
 * complete. Ctrl+C has no effect in between.
 *
 * @throws Error when a file cannot be written, or changed since it was read. All files then have their old text.
 */
export function replaceFiles(replacements: readonly Replacement[]): void {
  const ignore = () => {};
  process.on("SIGINT", ignore);
  const prepared: Prepared[] = [];
  try {
    for (const each of replacements) prepared.push(prepare(each));
    renameAll(prepared);
  } finally {
    for (const { temporary } of prepared) rmSync(temporary, { force: true });
    process.off("SIGINT", ignore);
  }
}

const MODIFIED = "another program modified the file while the command was running";

/** Writes the new text to a file beside the old one, with the same permissions. */
function prepare(replacement: Replacement): Prepared {
  const { path, before, after } = replacement;
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    if (readFileSync(path, "utf8") !== before) throw new Error(MODIFIED);
    requireWritable(path);
    writeFileSync(temporary, after, { flag: "wx" });
    chmodSync(temporary, statSync(path).mode);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw failure(path, error);
  }
  return { ...replacement, temporary };
}

/** Renaming would replace a file that is read-only. */
function requireWritable(path: string): void {
  if ((statSync(path).mode & 0o222) === 0) throw new Error("the file is read-only");
}

function renameAll(prepared: readonly Prepared[]): void {
  const done: Prepared[] = [];
  for (const each of prepared) {
    try {
      renameSync(each.temporary, each.path);
      done.push(each);
    } catch (error) {
      for (const { path, before } of done) writeFileSync(path, before);
      throw failure(each.path, error);
    }
  }
}

function failure(path: string, error: unknown): Error {
  return new Error(`${path}: ${explainFileError(error)}. The command changed no files.`);
}
