import type { TransportHeaders } from "../client/transport.ts";
import type { UndiciResponse } from "./dispatcher.ts";

/** Reads the headers of a response of undici, whose names are in lower case. `Headers` would copy all of them. */
export class UndiciHeaders implements TransportHeaders {
  readonly #values: UndiciResponse["headers"];

  constructor(values: UndiciResponse["headers"]) {
    this.#values = values;
  }

  get(name: string): string | null {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
    if (value === undefined) return null;
    return typeof value === "string" ? value : value.join(", ");
  }

  *[Symbol.iterator](): Iterator<[name: string, value: string]> {
    for (const [name, value] of Object.entries(this.#values)) {
      for (const each of [value ?? []].flat()) yield [name, each];
    }
  }
}
