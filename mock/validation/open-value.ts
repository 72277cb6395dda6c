import { COMMA, skipBlanks } from "./json-text.ts";

/** The number of names from which an object has many. */
export const MANY_NAMES = 200;

const objectsWithManyNames = new WeakSet<object>();

/** Whether an object was parsed in parts and has at least `MANY_NAMES` names. Listing half a million takes 250 ms. */
export function hasManyNames(object: object): boolean {
  return objectsWithManyNames.has(object);
}

/** An object or a list whose text is parsed in parts. */
export class OpenValue {
  /** Without a prototype until it ends, so that every name becomes a field of its own, even `__proto__`. */
  readonly value: Record<string, unknown> | unknown[];
  readonly #text: string;
  #start: number;
  /** True while the rest of the text follows an inner value: then it starts with a comma, unless it is blank. */
  #isAfterInner = false;

  /** @param place The place of the character that opens the value. */
  constructor(text: string, place: number) {
    this.value = text[place] === "[" ? [] : Object.create(null);
    this.#text = text;
    this.#start = place + 1;
  }

  /** The start of the text that is not parsed. */
  get start(): number {
    return this.#start;
  }

  /** Parses the members before a comma or the end of the value. There must be one. */
  readUntil(end: number): void {
    const isRead = this.#isAfterInner && this.#skipComma(end) === end;
    if (!isRead) this.#readMembers(end);
    this.#start = end + 1;
    this.#isAfterInner = false;
  }

  /** Parses the rest of the value. */
  end(place: number): void {
    const isList = Array.isArray(this.value);
    if (this.#text[place] !== (isList ? "]" : "}")) throw invalidPart(place, place + 1);
    this.readUntil(place);
    if (!isList) Object.setPrototypeOf(this.value, Object.prototype);
  }

  /** Adds an inner value that starts at a place, and is parsed in parts as well. */
  addInner(inner: OpenValue["value"], place: number): void {
    if (this.#isAfterInner) throw invalidPart(this.#start, place);
    const before = this.#text.slice(this.#start, place);
    // An empty list stands for the inner value: together with it, nothing but a name and its colon is valid.
    if (Array.isArray(this.value)) this.#addItems(parsePart(`[${before}[]]`, this.#start, place), inner);
    else this.#addFields(parsePart(`{${before}[]}`, this.#start, place), inner);
  }

  /** Continues after the end of an inner value. */
  continueAfter(place: number): void {
    this.#start = place + 1;
    this.#isAfterInner = true;
  }

  #readMembers(end: number): void {
    if (skipBlanks(this.#text, this.#start, end) === end) throw invalidPart(this.#start, end);
    const members = this.#text.slice(this.#start, end);
    if (Array.isArray(this.value)) this.#addItems(parsePart(`[${members}]`, this.#start, end));
    else this.#addFields(parsePart(`{${members}}`, this.#start, end));
  }

  /** Starts after the comma that follows an inner value. Returns the place of the comma, or `end` if there is none. */
  #skipComma(end: number): number {
    const place = skipBlanks(this.#text, this.#start, end);
    if (place < end && this.#text.charCodeAt(place) !== COMMA) throw invalidPart(place, end);
    this.#start = place + 1;
    return place;
  }

  #addItems(items: unknown, inner?: unknown): void {
    for (const item of items as unknown[]) (this.value as unknown[]).push(inner ?? item);
  }

  /** Adds each field with its own value, or with the inner one. `for in` takes less time than a list of the names. */
  #addFields(fields: unknown, inner?: unknown): void {
    const from = Object.setPrototypeOf(fields, null) as Record<string, unknown>;
    const to = this.value as Record<string, unknown>;
    let names = 0;
    for (const name in from) {
      to[name] = inner ?? from[name];
      names += 1;
    }
    if (names >= MANY_NAMES) objectsWithManyNames.add(to);
  }
}

function parsePart(json: string, start: number, end: number): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw invalidPart(start, end);
  }
}

/** Creates the error for a part of the text that is not valid JSON. */
export function invalidPart(start: number, end: number): SyntaxError {
  return new SyntaxError(`Not valid JSON between the characters ${start} and ${end}`);
}
