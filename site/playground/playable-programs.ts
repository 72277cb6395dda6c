import { findImports } from "./find-imports.ts";
import { isPlayable } from "./is-playable.ts";
import { MAX_LINK } from "./link/content.ts";

/** The part of a token of Markdown that a program depends on. */
export interface MarkdownToken {
  readonly type: string;
  /** The language of a block of code. */
  readonly info: string;
  readonly content: string;
}

/** A program that runs in the playground. */
export interface PlayableProgram {
  /** The place of its last block among the tokens. */
  readonly index: number;
  readonly code: string;
}

/** A comment before a block that tests do not run as pasted (CONTRIBUTING.md, "README and guides"). */
const EXCEPTION = /^<!-- (?:not run|fragment|file):/;

/**
 * Finds the programs in a page that run in the playground. A block without an import continues the program before it, so its
 * program contains both.
 */
export function playablePrograms(tokens: readonly MarkdownToken[]): PlayableProgram[] {
  let program: string | undefined;
  return tokens.flatMap((token, index) => {
    if (token.type !== "fence" || !/^[jt]s$/.test(token.info)) return [];
    if (EXCEPTION.test(tokens[index - 1]?.content ?? "")) return [];
    program = findImports(token.content).length > 0 ? token.content : program && `${program}\n${token.content}`;
    return program !== undefined && canPlay(program) ? [{ index, code: program }] : [];
  });
}

function canPlay(program: string): boolean {
  return encodeURIComponent(program).length < MAX_LINK - 100 && isPlayable(program);
}
