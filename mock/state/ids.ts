import { xoroshiro128plus, xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
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
    const hex = Array.from({ length: 4 }, () => (this.#random.next() >>> 0).toString(16).padStart(8, "0")).join("");
    const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) & 3];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.#random.next());
  }

  /** Generates letters and digits. */
  alphanumeric(length: number): string {
    return Array.from({ length }, () => ALPHANUMERIC[Math.floor(this.fraction() * ALPHANUMERIC.length)]).join("");
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

/** Returns the id of a reference, which is an id or a record. */
export function idOf(reference: string | { readonly id: string } | undefined): string | undefined {
  return typeof reference === "object" ? reference.id : reference;
}
