import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../terminal/usage-error.ts";

/** The folders whose files are not the user's own. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git", "dist"]);

/** The largest number of files that are read. */
const MAX_FILES = 50_000;

/** The longest list of files that git may print, in bytes. */
const MAX_LIST = 256 * 1024 * 1024;

/**
 * Lists the files in a folder and its subfolders whose names match, as paths from that folder. Skips dependencies, build
 * output, symbolic links, and what git ignores.
 *
 * @throws UsageError when there are too many.
 */
export function findFiles(folder: string, pattern: RegExp): string[] {
  const listed = listWithGit(folder) ?? walk(folder);
  const files = [...listed].filter((path) => pattern.test(path) && !isSkipped(path) && isFile(join(folder, path)));
  if (files.length <= MAX_FILES) return files.sort();
  throw new UsageError(`${folder} contains more than ${MAX_FILES} source files. Pass the folder of one package.`);
}

/** The configuration of a repository may name programs that git runs. */
const WITHOUT_PROGRAMS = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/** Lists what git does not ignore; undefined without git or outside of a repository. */
function listWithGit(folder: string): string[] | undefined {
  const args = [...WITHOUT_PROGRAMS, "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { status, stdout } = spawnSync("git", args, { cwd: folder, encoding: "utf8", maxBuffer: MAX_LIST });
  return status === 0 ? [...new Set(stdout.split("\0"))] : undefined;
}

function* walk(folder: string, below = ""): Generator<string> {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* walk(folder, path);
  }
}

function isSkipped(path: string): boolean {
  return path.split(/[\\/]/).some((name) => SKIPPED.has(name));
}

/** Returns whether there is a file, and not a link, at a path. Git also lists files that were deleted. */
function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
