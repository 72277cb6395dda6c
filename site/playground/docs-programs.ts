import { importableModules } from "./build.ts";
import { type CompiledProgram, compile } from "./compile.ts";
import { MAX_LINK } from "./link.ts";

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
/** What a page lacks: the functions of a test runner, and `Buffer` of Node.js. */
const NOT_IN_PAGES = /(?<![\w.])(?:(?:test|it|describe)(?:\.\w+)?\(|Buffer\b)/;

/**
 * Finds the programs in a page that run in the playground: those that import only the package. A block without an import
 * continues the program before it, so its program contains both.
 */
export function playablePrograms(tokens: readonly MarkdownToken[]): PlayableProgram[] {
  const known = new Set(importableModules().map(({ path }) => path));
  let program: string | undefined;
  return tokens.flatMap((token, index) => {
    if (token.type !== "fence" || !/^[jt]s$/.test(token.info)) return [];
    if (EXCEPTION.test(tokens[index - 1]?.content ?? "")) return [];
    program = /^\s*import\b/m.test(token.content) ? token.content : program && `${program}\n${token.content}`;
    return program !== undefined && canPlay(program, known) ? [{ index, code: program }] : [];
  });
}

function canPlay(program: string, known: ReadonlySet<string>): boolean {
  if (NOT_IN_PAGES.test(program) || encodeURIComponent(program).length > MAX_LINK / 4) return false;
  const { imports } = compiled(program);
  return imports.length > 0 && imports.every((path) => known.has(path));
}

/** Compiles a program; the examples of some errors do not compile, and are not linked. */
function compiled(program: string): CompiledProgram {
  try {
    return compile(program);
  } catch {
    return { code: "", imports: [] };
  }
}
