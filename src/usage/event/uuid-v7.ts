/** The number of identifiers for which random bytes are fetched at a time. */
const POOL = 512;
const RANDOM_BYTES = 10;

const pool = new Uint8Array(POOL * RANDOM_BYTES);
let used = pool.length;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Returns a new UUID of version 7 (RFC 9562, section 5.7). It begins with the time, so that identifiers sort by time. */
export function uuidV7(now: number = Date.now()): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const start = used;
  used += RANDOM_BYTES;
  const time = now.toString(16).padStart(12, "0");
  const version = `7${hex(start).slice(1)}${hex(start + 1)}`;
  const variant = HEX[(byteAt(start + 2) & 0x3f) | 0x80] + hex(start + 3);
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${node(start + 4)}`;
}

function node(start: number): string {
  return hex(start) + hex(start + 1) + hex(start + 2) + hex(start + 3) + hex(start + 4) + hex(start + 5);
}

function hex(index: number): string {
  return HEX[byteAt(index)] as string;
}

function byteAt(index: number): number {
  return pool[index] as number;
}
