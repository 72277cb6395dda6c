import { versionInPath } from "./specifier.ts";
import type { CodeToken } from "./tokenize.ts";

/** An import of a version of the package. */
export interface VersionImport {
  readonly version: string;
  /** The position of the version in the file. */
  readonly start: number;
  readonly line: number;
}

/** Functions whose first argument is a module. */
const FUNCTIONS: ReadonlySet<string> = new Set(["import", "require"]);

/** Methods whose first argument is a module, in Jest, Vitest, node:test and Bun. */
const METHODS: ReadonlySet<string> = new Set([
  ...["mock", "doMock", "unmock", "dontMock", "doUnmock", "deepUnmock", "setMock", "module"],
  ...["importActual", "importMock", "requireActual", "requireMock", "createMockFromModule", "genMockFromModule"],
  ...["unstable_mockModule", "unstable_unmockModule"],
]);

/** The objects whose method `resolve` takes a module: `require.resolve`, `import.meta.resolve`. */
const RESOLVERS: ReadonlySet<string> = new Set(["require", "meta"]);

const REFERENCE = /^\/\/\/\s*<reference\s+types\s*=\s*(["'])(.+?)\1/;

/** The number of tokens of type arguments that are skipped, as in `importActual<typeof import("…")>("…")`. */
const LONGEST_TYPES = 200;

/** Finds every import of a version of the package: also dynamic, as a type, in a mock, and in a reference to types. */
export function findImports(tokens: readonly CodeToken[]): VersionImport[] {
  const code = tokens.filter(({ type }) => type !== "comment");
  const imports = code.flatMap((token, index) =>
    token.type === "text" && isModule(code, index) ? at(token, token.value.slice(1, -1), 1) : [],
  );
  const references = tokens.flatMap((token) => {
    const [all, , path = ""] = (token.type === "comment" && REFERENCE.exec(token.value)) || [];
    return all === undefined ? [] : at(token, path, all.lastIndexOf(path));
  });
  return [...imports, ...references].sort((one, other) => one.start - other.start);
}

function at({ start, line }: CodeToken, path: string, offset: number): VersionImport[] {
  const found = versionInPath(path);
  return found === undefined ? [] : [{ version: found.version, start: start + offset + found.at, line }];
}

/** Returns whether the string at an index is where a program names a module. */
function isModule(code: readonly CodeToken[], index: number): boolean {
  const before = code[index - 1]?.value;
  if (before === "from" || before === "import") return true;
  if (before === "module") return code[index - 2]?.value === "declare";
  return before === "(" && takesModule(code, indexOfFunction(code, index - 2));
}

function takesModule(code: readonly CodeToken[], index: number): boolean {
  const name = code[index]?.value ?? "";
  const dot = code[index - 1]?.value;
  if (FUNCTIONS.has(name)) return true;
  if (dot !== "." && dot !== "?.") return false;
  return name === "resolve" ? RESOLVERS.has(code[index - 2]?.value ?? "") : METHODS.has(name);
}

/** Returns the index of the name of a called function, before its type arguments. */
function indexOfFunction(code: readonly CodeToken[], last: number): number {
  let depth = 0;
  for (let index = last; index > last - LONGEST_TYPES; index--) {
    const value = code[index]?.value ?? "";
    if (/^>+$/.test(value)) depth += value.length;
    if (value === "<") depth--;
    if (depth === 0) return value === "<" ? index - 1 : index;
  }
  return -1;
}
