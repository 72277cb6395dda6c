import { join } from "node:path";
import { findFiles } from "./find-files.ts";
import { findImports, type VersionImport } from "./find-imports.ts";
import { findMentions, type Mentions } from "./find-mentions.ts";
import { readProgram } from "./read-program.ts";
import { mentionsPackage, versionsInText } from "./specifier.ts";
import { tokenize } from "./tokenize.ts";

/** A place in a project. */
export interface Place {
  readonly path: string;
  readonly line: number;
}

/** A file that uses the package. */
export interface ScannedFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly VersionImport[];
  /** Versions after the name of the package that are not imports, for example in comments. */
  readonly others: readonly VersionImport[];
  readonly mentions: Mentions;
}

/** The files of a project that use the package, and those that could not be read. */
export interface ScannedProject {
  readonly files: readonly ScannedFile[];
  /** Files that are too large or not UTF-8. */
  readonly unread: readonly string[];
  /** The number of files that were searched. */
  readonly count: number;
}

const CODE = /\.[cm]?[jt]sx?$/;
const PAGES = /\.(vue|svelte|astro|mdx?|html|jsonc?)$/;

/** TypeScript without JSX. In other files, `<` can begin an element. */
const WITHOUT_JSX = /\.[cm]?ts$/;

/** Reads every source file of a project. Other text files are only searched for the import path. */
export function scanProject(folder: string): ScannedProject {
  const paths = findFiles(folder, new RegExp(`${CODE.source}|${PAGES.source}`)).map((path) => join(folder, path));
  const files: ScannedFile[] = [];
  const unread: string[] = [];
  for (const path of paths) {
    const text = readProgram(path);
    if (text === undefined) unread.push(path);
    else if (mentionsPackage(text)) files.push(scan(path, text));
  }
  return { files, unread, count: paths.length };
}

function scan(path: string, text: string): ScannedFile {
  const tokens = CODE.test(path) ? tokenize(text, !WITHOUT_JSX.test(path)) : [];
  const imports = findImports(tokens);
  const starts = new Set(imports.map(({ start }) => start));
  const others = versionsInText(text).filter(({ at }) => !starts.has(at));
  return {
    path,
    text,
    imports,
    others: others.map(({ version, at }) => ({ version, start: at, line: lineAt(text, at) })),
    mentions: findMentions(tokens),
  };
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split(/\r\n|[\n\r\u2028\u2029]/).length;
}
