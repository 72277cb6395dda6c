import jsTokens from "js-tokens";

/** A token of a program, without white space. */
export interface CodeToken {
  readonly type: "word" | "text" | "comment" | "other";
  readonly value: string;
  /** The position of its first character. */
  readonly start: number;
  /** The number of its first line, starting at 1. */
  readonly line: number;
}

const TYPES: Readonly<Record<string, CodeToken["type"] | undefined>> = {
  IdentifierName: "word",
  JSXIdentifier: "word",
  StringLiteral: "text",
  NoSubstitutionTemplate: "text",
  SingleLineComment: "comment",
  MultiLineComment: "comment",
  HashbangComment: "comment",
};

const SPACE: ReadonlySet<string> = new Set(["WhiteSpace", "LineTerminatorSequence"]);
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** Matches the `<` of type parameters that a tokenizer for JSX would take for an element: `<T,>(…) => …`. */
const TYPE_PARAMETERS = /(?<![\w$])<(?=\s*(?:const\s+)?[A-Za-z_$][\w$]*(?:\s*,|\s+extends\s+[^=\s]))/g;

/** Splits a program into tokens. Never fails; code that is not JavaScript or TypeScript gives meaningless tokens. */
export function tokenize(code: string, isJsx: boolean): CodeToken[] {
  const tokens: CodeToken[] = [];
  let start = 0;
  let line = 1;
  for (const { type, value } of jsTokens(isJsx ? code.replace(TYPE_PARAMETERS, " ") : code, { jsx: isJsx as true })) {
    if (!SPACE.has(type)) tokens.push({ type: TYPES[type] ?? "other", value, start, line });
    start += value.length;
    line += value.match(LINE_END)?.length ?? 0;
  }
  return tokens;
}
