import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { explainFileError } from "../../terminal/read-file.ts";
import { UsageError } from "../../terminal/usage-error.ts";

/** The progress of an ingestion. */
export interface SavedProgress {
  /** A random identifier of the ingestion, from which missing `external_id`s are derived. */
  readonly ingestion: string;
  /** The number of lines at the beginning of the file that are all stored or rejected. */
  readonly line: number;
  /** The SHA-256 of these lines, in hexadecimal. */
  readonly digest: string;
}

/** The file next to the input that contains the progress until the ingestion is complete. */
export class ProgressFile {
  readonly path: string;

  constructor(input: string) {
    this.path = `${input}.progress`;
  }

  /**
   * Reads the progress of a run that did not complete; undefined if there is none.
   *
   * @throws UsageError when the file is damaged.
   */
  read(): SavedProgress | undefined {
    if (!existsSync(this.path)) return undefined;
    const { ingestion, line, digest } = this.#parse();
    const isValid = typeof ingestion === "string" && Number.isSafeInteger(line) && typeof digest === "string";
    if (isValid) return { ingestion, line: line as number, digest };
    throw new UsageError(`${this.path} is damaged. Delete it to start from the first line.`);
  }

  /** Replaces the file in one step, so that a crash leaves the old progress or the new one. */
  write(progress: SavedProgress): void {
    const temporary = `${this.path}.new`;
    try {
      const file = openSync(temporary, "w");
      writeSync(file, `${JSON.stringify(progress)}\n`);
      fsyncSync(file);
      closeSync(file);
      renameSync(temporary, this.path);
    } catch (error) {
      throw new Error(`cannot write the progress to ${this.path}: ${explainFileError(error)}.`);
    }
  }

  /** Deletes the file. */
  remove(): void {
    rmSync(this.path, { force: true });
  }

  #parse(): Record<string, unknown> {
    try {
      return Object(JSON.parse(readFileSync(this.path, "utf8")));
    } catch {
      return {};
    }
  }
}
