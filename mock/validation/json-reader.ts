import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  endOfString,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipBlanks,
} from "./json-text.ts";
import { invalidPart, OpenValue } from "./open-value.ts";

/**
 * Parses a JSON text part by part. At the end of a part, some objects and lists are open, each within the one before. Each
 * part completes some of them, adds members to the last one, and opens others.
 */
export class JsonReader {
  /** The limit that the text exceeds. */
  exceeded: "levels" | "values" | undefined;
  isAtEnd = false;
  /** The number of names and values so far, counted by the characters that begin one (RFC 8259, section 2). */
  count = 0;
  readonly #text: string;
  readonly #charactersAtOnce: number;
  #place = 0;
  #depth = 0;
  /** For each depth, the place where the innermost object or list starts, and the place of its last comma. */
  readonly #starts: number[] = [];
  readonly #commas: number[] = [];
  /** The objects and lists that are open at the end of the part, from the outermost. */
  readonly #open: OpenValue[] = [];
  #root: OpenValue | undefined;

  constructor(text: string, charactersAtOnce: number) {
    this.#text = text;
    this.#charactersAtOnce = charactersAtOnce;
  }

  /** The value of the whole text. A text without a comma between its parts is parsed at once. */
  get value(): unknown {
    return this.#root ? this.#root.value : JSON.parse(this.#text);
  }

  /**
   * Reads a part, which ends at a comma.
   *
   * @throws SyntaxError if it is not valid. Unless the text has only one part, `value` throws it.
   */
  readPart(levels: number, values: number): void {
    this.#findEnd(levels, values);
    if (this.exceeded) return;
    if (!this.isAtEnd) {
      this.#openValues();
      this.#open.at(-1)?.readUntil(this.#place - 1);
    } else if (this.#open.length > 0) throw invalidPart(this.#place, this.#text.length);
  }

  /** Moves behind the comma that ends the part, or to the end of the text. */
  #findEnd(levels: number, values: number): void {
    const text = this.#text;
    const end = this.#place + this.#charactersAtOnce;
    let { count } = this;
    let place = this.#place;
    let depth = this.#depth;
    for (; place < text.length; place++) {
      const code = text.charCodeAt(place);
      if (code === QUOTE) place = endOfString(text, place + 1);
      else if (code === COLON) count++;
      else if (code === COMMA) {
        count++;
        this.#commas[depth] = place;
        if (place >= end && depth > 0) break;
      } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        count++;
        depth++;
        if (depth > levels) break;
        this.#starts[depth] = place;
        this.#commas[depth] = place;
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        if (depth === this.#open.length) this.#close(place);
        depth--;
      }
      if (count > values) break;
    }
    if (depth > levels) this.exceeded = "levels";
    else if (count > values) this.exceeded = "values";
    this.isAtEnd = place >= text.length;
    this.#place = place + 1;
    this.#depth = depth;
    this.count = count;
  }

  /** Opens objects and lists down to the depth at which the part ends, each as a member of the one before. */
  #openValues(): void {
    for (let depth = this.#open.length + 1; depth <= this.#depth; depth++) {
      const start = this.#starts[depth] as number;
      const inner = new OpenValue(this.#text, start);
      const outer = this.#open.at(-1);
      if (outer) this.#addInner(outer, inner, start);
      else this.#addRoot(inner, start);
      this.#open.push(inner);
    }
  }

  #addRoot(root: OpenValue, start: number): void {
    this.#requireBlank(0, start);
    this.#root = root;
  }

  #requireBlank(start: number, end: number): void {
    if (skipBlanks(this.#text, start, end) < end) throw invalidPart(start, end);
  }

  #addInner(outer: OpenValue, inner: OpenValue, start: number): void {
    const comma = this.#commas[this.#open.length] as number;
    if (comma >= outer.start) outer.readUntil(comma);
    outer.addInner(inner.value, start);
  }

  #close(place: number): void {
    const closed = this.#open.pop();
    if (!closed) throw invalidPart(place, place + 1);
    closed.end(place);
    const outer = this.#open.at(-1);
    if (outer) outer.continueAfter(place);
    else this.#requireBlank(place + 1, this.#text.length);
  }
}
