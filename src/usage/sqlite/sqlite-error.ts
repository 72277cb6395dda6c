import { OutboxError, type OutboxErrorReason } from "../outbox/index.ts";

/** The result codes of SQLite that have an explanation (https://sqlite.org/rescode.html). */
const EXPLANATIONS: Readonly<Record<number, readonly [reason: OutboxErrorReason, text: string]>> = {
  3: ["unavailable", "permission denied"],
  5: ["in-use", "it is open in another process; only one may use it at a time"],
  8: ["unavailable", "it is read-only"],
  11: ["corrupt", "the database is damaged; move the file away, and recover its events with the sqlite3 program"],
  13: ["full", "the disk or the file is full; events that were stored before are still there"],
  14: ["unavailable", "it cannot be opened; its folder must exist and be writable"],
  26: ["corrupt", "it is not an SQLite database, or its beginning is damaged; move the file away"],
};

/** Turns an error of `node:sqlite` into an {@link OutboxError} that names the file and the cause. */
export function sqliteError(path: string, error: unknown): OutboxError {
  if (error instanceof OutboxError) return error;
  const { errcode = 0, message } = error as { readonly errcode?: number; readonly message?: string };
  // The lower byte of an extended code is the primary code.
  const [reason, text] = EXPLANATIONS[errcode & 0xff] ?? (["unavailable", message ?? "unknown error"] as const);
  return new OutboxError(reason, `sqliteOutbox: ${path}: ${text}`, { cause: error });
}
