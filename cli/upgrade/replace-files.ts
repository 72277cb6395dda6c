import { randomUUID } from "node:crypto";
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { explainFileError } from "../../terminal/read-file.ts";

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
