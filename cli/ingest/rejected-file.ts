import { closeSync, createReadStream, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { explainFileError } from "../../terminal/read-file.ts";
import { splitLines } from "./split-lines.ts";

/** A rejected line, as in the file. */
export interface RejectedLine {
  /** The number of the line in the input, from 1. */
  readonly line: number;
  readonly reason: string;
  /** The line itself. */
  readonly text: string;
  /** Whether `text` is only the beginning of a very long line. */
  readonly truncated?: boolean;
}

const MAX_ENTRY_BYTES = 1024 * 1024;

/** The file of rejected lines. It exists only if there is one. */
export class RejectedFile {
  readonly path: string;
  #file: number | undefined;
  #count = 0;

  /** @param input The path of the input: `usage.jsonl` and `usage.jsonl.gz` have `usage.rejected.jsonl`. */
  constructor(input: string) {
    this.path =
      input === "-"
        ? "stdin.rejected.jsonl"
        : `${input.replace(/(\.jsonl|\.ndjson|\.json)?(\.gz)?$/i, "")}.rejected.jsonl`;
  }

  /** The number of rejected lines of this ingestion. */
  get count(): number {
    return this.#count;
  }

  /** Adds a line. It is in the file when this returns. */
  add(rejected: RejectedLine): void {
    try {
      this.#file ??= openSync(this.path, "a");
      writeSync(this.#file, `${JSON.stringify(rejected)}\n`);
    } catch (error) {
      throw new Error(`cannot write the rejected lines to ${this.path}: ${explainFileError(error)}.`);
    }
    this.#count += 1;
  }

  /** Writes everything to the disk. */
  sync(): void {
    if (this.#file !== undefined) fsyncSync(this.#file);
  }

  /** Deletes the lines of an earlier ingestion. */
  clear(): void {
    rmSync(this.path, { force: true });
  }

  /** Removes the lines after a line of the input. They are sent, and rejected, again. */
  async keepUpTo(line: number): Promise<void> {
    if (!existsSync(this.path)) return;
    const temporary = `${this.path}.new`;
    const file = openSync(temporary, "w");
    for await (const { bytes } of splitLines(createReadStream(this.path), MAX_ENTRY_BYTES)) {
      if (!(numberOf(bytes) <= line)) continue;
      writeSync(file, Buffer.concat([bytes, Buffer.from("\n")]));
      this.#count += 1;
    }
    fsyncSync(file);
    closeSync(file);
    renameSync(temporary, this.path);
    if (this.#count === 0) this.clear();
  }

  /** Closes the file. */
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
