import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A fenced block of code on a page. */
export interface Block {
  readonly page: string;
  /** The line of the page that its first line of code stands on, from 1. */
  readonly line: number;
  readonly language: string;
  /** The code, without the indentation of the fence. */
  readonly code: string;
  /** The HTML comment in front of the block, such as `file: seed.json`; empty when there is none. */
  readonly note: string;
}

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The pages whose code is tried: the README and the guides. */
export const pages: readonly string[] = ["README.md", ...globSync("docs/*.md", { cwd: root }).sort()];

/** Reads a page of the project. */
export function textOf(page: string): string {
  return readFileSync(root + page, "utf8");
}

/** Finds every block of code on a page. */
export function blocksOf(page: string): Block[] {
  const text = textOf(page);
  const fences = text.matchAll(/^( *)```([^\n`]*)\n(.*?)^ *```$/gms);
  return [...fences].map(({ index, 1: indent = "", 2: language = "", 3: code = "" }) => ({
    page,
    line: text.slice(0, index).split("\n").length + 1,
    language: language.trim(),
    code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    note: /<!-- ([^\n]*?) -->\s*$/.exec(text.slice(0, index))?.[1] ?? "",
  }));
}
