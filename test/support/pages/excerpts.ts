import { type Block, textOf } from "./blocks.ts";

/**
 * Returns whether a block is marked as part of a file of the package, with `<!-- excerpt: examples/vitest/app.test.ts -->`.
 *
 * @throws Error if the file does not contain the block. Lines of the file may be left out where the block has an empty line.
 */
export function requireExcerpt({ page, line, code, note }: Block): boolean {
  const [, file] = /^excerpt: (\S+)$/.exec(note) ?? [];
  if (file === undefined) return false;
  const text = textOf(file);
  const missing = code.split(/\n{2,}/).find((part) => !text.includes(part.trimEnd()));
  if (missing !== undefined)
    throw new Error(`${page}:${line}: ${file} does not contain this part of the block:\n${missing}`);
  return true;
}
