import { xoroshiro128plus, xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX_DIGITS: readonly number[] = Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));

/** The place in a UUID of the two digits of each byte. */
const PLACES: readonly number[] = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/**
 * The character codes of a UUID, reused for each. A string that is put together from pieces takes several times as long
 * when it becomes the key of a row.
 */
const UUID_TEXT: number[] = Array.from("00000000-0000-0000-0000-000000000000", (character) => character.charCodeAt(0));

/** Generates ids, tokens and secrets. The same seed generates the same ones in the same order. */
export class IdGenerator {
  #random: RandomGenerator;

  /** @param seed Random by default. It protects no secrets; Web Crypto would only make a server start more slowly. */
  constructor(seed: number = Math.random() * 2 ** 32) {
    this.#random = xoroshiro128plus(seed);
    // The first numbers of a small seed are nearly all zeros or all ones.
    for (let i = 0; i < 32; i++) this.#random.next();
  }

  /** Generates a version 4 UUID (RFC 9562). */
  uuid(): string {
    for (let i = 0; i < 16; i += 4) {
      const word = this.#random.next();
      for (let j = 0; j < 4; j++) writeByte(i + j, (word >>> (8 * j)) & 0xff);
    }
    return String.fromCharCode.apply(undefined, UUID_TEXT);
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let i = 0; i < length; i += 4) {
      const word = this.#random.next();
      for (let j = 0; j < 4 && i + j < length; j++) bytes[i + j] = word >>> (8 * j);
    }
    return bytes;
  }

  /** Generates letters and digits, each equally likely. */
  alphanumeric(length: number): string {
    let text = "";
    while (text.length < length) {
      for (const byte of this.bytes(length)) {
        if (byte < 248 && text.length < length) text += ALPHANUMERIC[byte % 62];
      }
    }
    return text;
  }

  /** Generates a number from 0 up to, but not including, 1. */
  fraction(): number {
    return (this.#random.next() >>> 0) / 2 ** 32;
  }

  save(): readonly number[] {
    return this.#random.getState();
  }

  load(state: readonly number[]): void {
    this.#random = xoroshiro128plusFromState(state);
  }
}

/** Writes one byte of a UUID, with the version and the variant in their places. */
function writeByte(index: number, random: number): void {
  let byte = random;
  if (index === 6) byte = (byte & 0x0f) | 0x40;
  if (index === 8) byte = (byte & 0x3f) | 0x80;
  const place = PLACES[index] as number;
  UUID_TEXT[place] = HEX_DIGITS[byte >>> 4] as number;
  UUID_TEXT[place + 1] = HEX_DIGITS[byte & 0x0f] as number;
}

/** Returns the id of a reference, which is an id or a record. */
export function idOf(reference: string | { readonly id: string } | undefined): string | undefined {
  return typeof reference === "object" ? reference.id : reference;
}
