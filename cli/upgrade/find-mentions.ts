import type { CodeToken } from "./tokenize.ts";

/** The lines on which a file mentions a name. The keys are those of `callKey`, `fieldKey`, `wordKey` and `textKey`. */
export type Mentions = ReadonlyMap<string, readonly number[]>;

/** Returns the key of a call such as `events.ingest`. */
export function callKey(method: string): string {
  return `call ${method}`;
}

/** Returns the key of a name that is used as a property. */
export function fieldKey(name: string): string {
  return `field ${name}`;
}

/** Returns the key of a name that is used anywhere, for example as a type. */
export function wordKey(name: string): string {
  return `word ${name}`;
}

/** Returns the key of a string. */
export function textKey(text: string): string {
  return `text ${text}`;
}

/** Lists what a file mentions. */
export function findMentions(tokens: readonly CodeToken[]): Mentions {
  const code = tokens.filter(({ type }) => type !== "comment");
  const lines = new Map<string, number[]>();
  for (const [index, { line }] of code.entries()) {
    for (const key of keysOf(code, index)) {
      const known = lines.get(key);
      if (known === undefined) lines.set(key, [line]);
      else if (known.at(-1) !== line) known.push(line);
    }
  }
  return lines;
}

function keysOf(code: readonly CodeToken[], index: number): string[] {
  const { type, value } = code[index] as CodeToken;
  if (type === "text")
    return [textKey(value.slice(1, -1)), ...(isKey(code, index) ? [fieldKey(value.slice(1, -1))] : [])];
  if (type !== "word") return [];
  const owner = isAfterDot(code, index) ? code[index - 2] : undefined;
  return [
    wordKey(value),
    ...(isAfterDot(code, index) || isKey(code, index) ? [fieldKey(value)] : []),
    ...(owner?.type === "word" ? [callKey(`${owner.value}.${value}`)] : []),
  ];
}

function isAfterDot(code: readonly CodeToken[], index: number): boolean {
  return /^\??\.$/.test(code[index - 1]?.value ?? "");
}

/** Returns whether a name is a key of an object or of a type, also in a short form or in brackets. */
function isKey(code: readonly CodeToken[], index: number): boolean {
  const [before, after] = [code[index - 1]?.value ?? "", code[index + 1]?.value ?? ""];
  if (after === ":" || (after === "?" && code[index + 2]?.value === ":")) return true;
  return (before === "[" && after === "]") || (/^[{,]$/.test(before) && /^[},=]$/.test(after));
}
