import {
  closeSync,
  constants,
  createReadStream,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { explainFileError, UsageError } from "../shared/arguments.ts";
import { type Position, splitLines } from "./input.ts";

/** The position in a file up to which everything is stored or rejected. */
export interface Checkpoint extends Position {
  /** The SHA-256 of the file when it was first ingested, from which the identifiers of its events are derived. */
  readonly digest: string;
  /** The number of bytes that `digest` covers. Lines may have been appended since. */
  readonly size: number;
  /** Identifies the service and the token without containing them. */
  readonly target: string;
}

/** A rejected line, as in the file of rejected lines. */
export interface RejectedLine {
  /** The number of the line in the input, from 1. */
  readonly line: number;
  readonly reason: string;
  readonly text: string;
  /** Whether `text` is only the beginning of a very long line. */
  readonly truncated?: boolean;
}

// Windows has no such flag, and needs a privilege to create a link.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const READ = constants.O_RDONLY | NO_FOLLOW;
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NO_FOLLOW;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;

/** The file next to the input that contains its checkpoint until everything is sent. */
export class CheckpointFile {
  readonly path: string;

  constructor(input: string) {
    this.path = `${input}.progress`;
  }

  /**
   * Reads the checkpoint; undefined if there is none.
   *
   * @throws UsageError when the file has other contents.
   */
  read(): Checkpoint | undefined {
    try {
      const value = Object(JSON.parse(readFileSync(this.path, { encoding: "utf8", flag: READ as unknown as string })));
      const { line, bytes, size, digest, target } = value as Checkpoint;
      const isValid = [line, bytes, size].every((each) => Number.isSafeInteger(each) && each >= 0);
      if (isValid && typeof digest === "string" && typeof target === "string") return value;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    }
    throw new UsageError(`${this.path} is damaged, or was not written by this command. Delete it to send every line.`);
  }

  write(checkpoint: Checkpoint): void {
    guard("progress", this.path, () => replace(this.path, [Buffer.from(JSON.stringify(checkpoint))]));
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}

/** The file of rejected lines. It exists only if there is one. */
export class RejectedFile {
  readonly path: string;
  #file: number | undefined;
  #isEmpty = true;

  /** @param input The path of a file: `usage.jsonl` and `usage.jsonl.gz` have `usage.rejected.jsonl`; undefined otherwise. */
  constructor(input: string | undefined) {
    this.path = `${(input ?? "stdin").replace(/(\.jsonl|\.ndjson|\.json)?(\.gz)?$/i, "")}.rejected.jsonl`;
  }

  /** Whether it has no line, also of an earlier run. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Adds a line. It is in the file when this returns. */
  add(rejected: RejectedLine): void {
    this.#isEmpty = false;
    guard("rejected lines", this.path, () => {
      this.#file ??= openSync(this.path, APPEND, 0o666);
      writeSync(this.#file, `${JSON.stringify(rejected)}\n`);
    });
  }

  /** Writes everything to the disk. */
  sync(): void {
    if (this.#file !== undefined) fsyncSync(this.#file);
  }

  /** Keeps only the entries of the first lines of the input. The others are sent, and rejected, again. */
  async keepUpTo(line: number): Promise<void> {
    const kept: Buffer[] = [];
    try {
      if (line > 0) {
        const file = openSync(this.path, READ);
        for await (const { bytes } of splitLines(createReadStream("", { fd: file }), { line: 0, bytes: 0 }))
          if (numberOf(bytes) <= line) kept.push(bytes);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    this.#isEmpty = kept.length === 0;
    guard("rejected lines", this.path, () =>
      this.#isEmpty ? rmSync(this.path, { force: true }) : replace(this.path, kept),
    );
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** Returns the number of the line in an entry; NaN for one that a crash has cut off. */
function numberOf(bytes: Buffer): number {
  try {
    return Number((JSON.parse(bytes.toString("utf8")) as RejectedLine).line);
  } catch {
    return Number.NaN;
  }
}

/** Replaces a file in one step, so that a crash leaves the old contents or the new ones. Does not write through a link. */
function replace(path: string, lines: readonly Buffer[]): void {
  const temporary = `${path}.new`;
  rmSync(temporary, { force: true });
  const file = openSync(temporary, CREATE, 0o666);
  for (const line of lines) writeSync(file, Buffer.concat([line, Buffer.from("\n")]));
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, path);
}

function guard(what: string, path: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw new Error(`cannot write the ${what} to ${path}: ${explainFileError(error)}.`);
  }
}
