import { OutboxError } from "../outbox/index.ts";

const HEADER = 32;
const FRAME_HEADER = 24;
const COMMIT = 4;
const SALTS = 8;
const CHECKSUM = 16;

/**
 * Finds a damaged frame in the write-ahead log of a closed database. SQLite ignores it and everything after it without an
 * error. An unfinished transaction at the end, as a crash leaves it, is not damage: the first end of a transaction after a
 * wrong frame may be its own, with a header that was written and a page that was not.
 *
 * The format: https://sqlite.org/fileformat2.html#the_write_ahead_log
 *
 * @throws {@link OutboxError} if a frame is damaged, and at least two transactions end there or later.
 */
export function requireIntactLog(path: string): void {
  const { closeSync, existsSync, fstatSync, openSync, readSync } = process.getBuiltinModule("node:fs");
  if (!existsSync(`${path}-wal`)) return;
  const file = openSync(`${path}-wal`, "r");
  try {
    const { size } = fstatSync(file);
    const read = (position: number, length: number): DataView => {
      const bytes = new DataView(new ArrayBuffer(length));
      readSync(file, bytes, 0, length, position);
      return bytes;
    };
    if (size > HEADER && !isIntact(read, size)) throw damaged(path);
  } finally {
    closeSync(file);
  }
}

type Read = (position: number, length: number) => DataView;

function isIntact(read: Read, size: number): boolean {
  const header = read(0, HEADER);
  const isLittle = (header.getUint32(0) & 1) === 0;
  const frame = FRAME_HEADER + header.getUint32(8);
  let sum = checksum([0, 0], header, [0, 24], isLittle);
  if (!isEqual(sum, header, 24)) return false;
  const salts = [header.getUint32(16), header.getUint32(20)] as const;
  let isValid = true;
  let ends = 0;
  for (let position = HEADER; position + frame <= size; position += frame) {
    const bytes = read(position, isValid ? frame : FRAME_HEADER);
    const isCurrent = isEqual(salts, bytes, SALTS);
    if (isValid && isCurrent) {
      sum = checksum(checksum(sum, bytes, [0, SALTS], isLittle), bytes, [FRAME_HEADER, frame], isLittle);
      isValid = isEqual(sum, bytes, CHECKSUM);
    } else {
      isValid = false;
    }
    if (!isValid && isCurrent && bytes.getUint32(COMMIT) !== 0 && ++ends > 1) return false;
  }
  return true;
}

type Pair = readonly [number, number];

/** Continues the checksum of SQLite over the bytes between two positions. */
function checksum([first, second]: Pair, bytes: DataView, [from, to]: Pair, isLittle: boolean): Pair {
  let [a, b] = [first, second];
  for (let at = from; at < to; at += 8) {
    a = (a + bytes.getUint32(at, isLittle) + b) >>> 0;
    b = (b + bytes.getUint32(at + 4, isLittle) + a) >>> 0;
  }
  return [a, b];
}

function isEqual([first, second]: Pair, bytes: DataView, at: number): boolean {
  return bytes.getUint32(at) === first && bytes.getUint32(at + 4) === second;
}

function damaged(path: string): OutboxError {
  const problem = `the log ${path}-wal is damaged, so events at its end cannot be read`;
  const advice =
    "Copy both files, then open the database once with the sqlite3 program to keep the events before the damage";
  return new OutboxError("corrupt", `sqliteOutbox: ${path}: ${problem}. ${advice}`);
}
