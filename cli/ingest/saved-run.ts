import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { UsageError } from "../shared/arguments.ts";
import { explainFileError } from "../shared/files.ts";
import type { Input } from "./input.ts";

/** The position in a file up to which everything is stored or rejected, as saved beside the file. */
export interface Checkpoint {
  readonly line: number;
  /** The SHA-256 of the file. */
  readonly digest: string;
  /** Identifies the service and the token. */
  readonly target: string;
  /** The size of the list of rejected lines. A resumed run removes what a crash left after it. */
  readonly rejected_bytes: number;
  /** Whether every line is stored or rejected. */
  readonly complete: boolean;
}

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_RDONLY, O_RDWR, O_TRUNC } = constants;

/** The endings of the files that this command writes. They are never its input. */
const [REJECTED, PROGRESS, LOCK] = [".rejected", ".progress", ".lock"];

/** The files that this process has locked: a process that ended may have had the same id. */
const locked = new Set<string>();

/** The files beside an input: its lock, its progress and its rejected lines. No link is followed, and all have its mode. */
export class SavedRun {
  readonly rejectedFile: string;
  readonly progressFile: string;
  readonly #lockFile: string;
  readonly #mode: number;

  /** @throws UsageError if the input is such a file. */
  constructor({ path, file }: Input) {
    const ending = [REJECTED, PROGRESS, LOCK].find((each) => path.endsWith(each));
    if (ending !== undefined) {
      const advice = `To send rejected lines again, run: jq -r .text usage.jsonl${REJECTED} > fixed.jsonl`;
      throw new UsageError(`${path}: this command writes files that end in ${ending}, and never sends them. ${advice}`);
    }
    this.rejectedFile = `${file ? path : "stdin"}${REJECTED}`;
    this.progressFile = `${path}${PROGRESS}`;
    this.#lockFile = `${path}${LOCK}`;
    this.#mode = file ? file.mode & 0o777 : 0o600;
  }

  /**
   * Makes sure that no other run sends the same file.
   *
   * @throws Error that names the process which sends it.
   */
  lock(): void {
    for (const isLast of [false, true]) {
      try {
        this.#use(this.#lockFile, O_RDWR | O_CREAT | O_EXCL, (file) => {
          writeFileSync(file, JSON.stringify({ pid: process.pid, host: hostname() }));
        });
        locked.add(this.#lockFile);
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        const owner = this.#owner();
        if (owner !== undefined || isLast)
          throw new Error(
            `${owner ?? "another process"} is sending this file. Wait for it; if it has ended, delete ${this.#lockFile}.`,
          );
        rmSync(this.#lockFile, { force: true });
      }
    }
  }

  unlock(): void {
    if (locked.delete(this.#lockFile)) rmSync(this.#lockFile, { force: true });
  }

  /** Describes the process that locked the file; undefined if it has ended. */
  #owner(): string | undefined {
    let owner: { readonly pid?: unknown; readonly host?: unknown } = {};
    try {
      owner = Object(JSON.parse(this.#read(this.#lockFile)));
    } catch {}
    const { pid, host } = owner;
    const described = `process ${pid} on ${host}`;
    if (host !== hostname() || typeof pid !== "number") return described;
    if (pid === process.pid) return locked.has(this.#lockFile) ? described : undefined;
    try {
      process.kill(pid, 0);
      return described;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ESRCH" ? undefined : described;
    }
  }

  /**
   * Reads the progress of earlier runs; undefined if there is none.
   *
   * @throws UsageError if the file is damaged.
   */
  read(): Checkpoint | undefined {
    if (!existsSync(this.progressFile)) return undefined;
    try {
      const value: Checkpoint = JSON.parse(this.#read(this.progressFile));
      const isComplete = [value.line, value.rejected_bytes].every((size) => Number.isSafeInteger(size) && size >= 0);
      if (isComplete && [value.digest, value.target].every((text) => typeof text === "string")) return value;
    } catch {}
    const problem = "is damaged, or was not written by this command";
    throw new UsageError(`${this.progressFile} ${problem}. Move it away to send every line.`);
  }

  /** Replaces the progress in one step, so that a crash leaves the old one or the new one. */
  save(checkpoint: Checkpoint): void {
    const created = `${this.progressFile}.new`;
    this.#use(created, O_RDWR | O_CREAT | O_TRUNC, (file) => {
      writeFileSync(file, `${JSON.stringify(checkpoint)}\n`);
      fsyncSync(file);
    });
    renameSync(created, this.progressFile);
  }

  forget(): void {
    rmSync(this.progressFile, { force: true });
  }

  /** Appends to the rejected lines, or changes nothing: a full disk may have room for a part of the text. Returns the size. */
  reject(text: string): number {
    return this.#use(this.rejectedFile, O_RDWR | O_CREAT | O_APPEND, (file) => {
      const { size } = fstatSync(file);
      try {
        writeFileSync(file, text);
        fsyncSync(file);
      } catch (error) {
        ftruncateSync(file, size);
        throw error;
      }
      return fstatSync(file).size;
    });
  }

  /** Removes the rejected lines beyond a size. Returns whether there are any. */
  cutRejected(size: number): boolean {
    const stats = lstatSync(this.rejectedFile, { throwIfNoEntry: false });
    if (!stats || size === 0) {
      if (stats?.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR", path: this.rejectedFile });
      return false;
    }
    this.#use(this.rejectedFile, O_RDWR, (file) => {
      if (fstatSync(file).size > size) ftruncateSync(file, size);
    });
    return true;
  }

  forgetRejected(): void {
    rmSync(this.rejectedFile, { force: true });
  }

  #read(path: string): string {
    return this.#use(path, O_RDONLY, (file) => readFileSync(file, "utf8"));
  }

  #use<Result>(path: string, flags: number, call: (file: number) => Result): Result {
    const file = openSync(path, flags | O_NOFOLLOW, this.#mode);
    try {
      // The umask may have removed a part of the mode.
      if ((flags & O_CREAT) !== 0) fchmodSync(file, this.#mode);
      return call(file);
    } finally {
      closeSync(file);
    }
  }
}

/** Returns a UsageError that says which file cannot be written. */
export function unwritable(error: unknown, file: string): UsageError {
  const { path = file } = error as NodeJS.ErrnoException;
  const problem = `cannot write ${path}: ${explainFileError(error)}`;
  return new UsageError(`${problem}. Nothing was sent. Copy the input to a folder in which you can write.`);
}
