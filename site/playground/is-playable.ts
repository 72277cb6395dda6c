import { transformSync } from "esbuild";
import { modulesOf } from "../modules.ts";
import { siteVersions } from "../versions.ts";
import { findImports } from "./find-imports.ts";
import { isImportable } from "./importable.ts";

/** Functions that only a test runner provides. */
const TEST_FUNCTIONS = /(?<![\w.])(?:test|it|describe)(?:\.\w+)?\(/;

/** Returns whether a block of code is a program that runs in the playground: JavaScript that imports only the package. */
export function isPlayable(code: string): boolean {
  const imports = findImports(code);
  const known = importPaths();
  if (imports.length === 0 || !imports.every(({ name }) => known.has(name))) return false;
  return !TEST_FUNCTIONS.test(code) && isJavaScript(code);
}

/** Returns the import paths of the entry points that programs in the playground can import. */
export function importPaths(): ReadonlySet<string> {
  const modules = siteVersions().flatMap(({ name }) => modulesOf(name));
  return new Set(modules.filter(({ slug }) => isImportable(slug)).map(({ path }) => path));
}

function isJavaScript(code: string): boolean {
  try {
    transformSync(code, { loader: "js", format: "esm", logLevel: "silent" });
    return true;
  } catch {
    return false;
  }
}
