import { OutboxError } from "../outbox.ts";

const HEADER = 32;
const FRAME_HEADER = 24;
const COMMIT = 4;
const SALTS = 8;
const CHECKSUM = 16;
/** The first four bytes of a log; one more if its checksums are big-endian. */
const MAGIC = 0x377f0682;

/**
 * Finds a damaged frame in the write-ahead log of a closed database. SQLite ignores it and everything after it without an
 * error. An unfinished transaction at the end, as a crash leaves it, is not damage: its frames may be missing or wrong, the
 * last one too.
 *
 * The format: https://sqlite.org/fileformat2.html#the_write_ahead_log
 *
 * @returns The position of what follows the last transaction; undefined if nothing does.
 * @throws {@link OutboxError} if a frame is damaged, and a transaction after its own is intact.
 */
export function requireIntactLog(path: string): number | undefined {
  const { closeSync, existsSync, fstatSync, openSync, readSync } = process.getBuiltinModule("node:fs");
  const log = `${path}-wal`;
  if (!existsSync(log)) return undefined;
  const file = openSync(log, "r");
  try {
    const { size } = fstatSync(file);
    if (size <= HEADER) return undefined;
    const end = endOf((position, length) => {
      const bytes = new DataView(new ArrayBuffer(length));
      readSync(file, bytes, 0, length, position);
      return bytes;
    }, size);
    if (end === undefined) throw damaged(path);
    return end < size ? end : undefined;
  } finally {
    closeSync(file);
  }
}

/**
 * Removes an unfinished transaction from the end of the log: the next transaction would be written over its beginning, and
 * after a second crash the rest would look like damage. The database must be locked and belong to an outbox, since another
 * connection may append to the log at any time.
 */
export function removeUnfinished(path: string): void {
  const end = requireIntactLog(path);
  if (end !== undefined) process.getBuiltinModule("node:fs").truncateSync(`${path}-wal`, end);
}

/** Returns the end of the last transaction; undefined if the log is damaged. */
function endOf(read: (position: number, length: number) => DataView, size: number): number | undefined {
  const header = read(0, HEADER);
  if (header.getUint32(0) >>> 1 !== MAGIC >>> 1) return undefined;
  const isLittle = (header.getUint32(0) & 1) === 0;
  const frame = FRAME_HEADER + header.getUint32(8);
  const sum = checksum([0, 0], header, [0, 24], isLittle);
  if (!isEqual(sum, header, 24)) return undefined;
  // Each frame's checksum continues the checksum of the frame before it, which may be damaged itself: as computed, as written.
  let sums = [sum];
  let end = HEADER;
  let isValid = true;
  let hasEnded = false;
  for (let position = HEADER; position + frame <= size; position += frame) {
    const bytes = read(position, frame);
    const isCurrent = isEqual([header.getUint32(16), header.getUint32(20)], bytes, SALTS);
    const computed = sums.map((before) =>
      checksum(checksum(before, bytes, [0, SALTS], isLittle), bytes, [FRAME_HEADER, frame], isLittle),
    );
    const isWhole = isCurrent && computed.some((sum) => isEqual(sum, bytes, CHECKSUM));
    const written: Pair = [bytes.getUint32(CHECKSUM), bytes.getUint32(CHECKSUM + 4)];
    sums = isWhole ? [written] : [computed[0] as Pair, written];
    isValid &&= isWhole;
    if (!isCurrent || bytes.getUint32(COMMIT) === 0) continue;
    if (isValid) end = position + frame;
    else if (hasEnded && isWhole) return undefined;
    else hasEnded = true;
  }
  return end;
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
