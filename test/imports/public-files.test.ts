import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { entryPoints } from "../../scripts/entry-points.ts";

/** The files that a source file re-exports, as paths from the root of the project. */
function reexports(file: string, code: string): string[] {
  const paths = code.matchAll(/^export (?:type )?(?:\*(?: as \w+)?|\{[^}]*\}) from "(\.[^"]+)";$/gm);
  return [...paths].map(([, path]) => join(dirname(file), path as string));
}

/** Whether a file is what a folder of `src` shows to users: its `public.ts`, or its `index.ts` if it has none. */
function isPublic(path: string): boolean {
  const folder = dirname(path);
  return path === `${folder}/${existsSync(`${folder}/public.ts`) ? "public.ts" : "index.ts"}`;
}

/** The re-exports of an entry point from other folders of `src` that are not public. */
function internals(file: string, code: string): string[] {
  const foreign = reexports(file, code).filter((path) => {
    const [folder] = /^src\/[^/]+\//.exec(path) ?? [];
    return folder !== undefined && !file.startsWith(folder);
  });
  return foreign.filter((path) => !isPublic(path));
}

it.each(Object.values(entryPoints()))("%s exports only public files of src", (file) => {
  expect(internals(file, readFileSync(file, "utf8"))).toEqual([]);
});

it.each([
  ["src/index.ts", 'export * from "./errors/index.ts";', []],
  ["src/index.ts", 'export { addNote } from "./errors/billing-error.ts";', ["src/errors/billing-error.ts"]],
  ["versions/2025-01/index.ts", 'export * from "../../src/client/public.ts";', []],
  ["versions/2025-01/index.ts", 'export * from "../../src/client/index.ts";', ["src/client/index.ts"]],
  [
    "versions/2025-01/index.ts",
    'export type {\n  Send,\n} from "../../src/client/request.ts";',
    ["src/client/request.ts"],
  ],
  ["src/usage/index.ts", 'export * from "./outbox/outbox.ts";', []],
])("%s with %j exports the internal files %j", (file, code, expected) => {
  expect(internals(file, code)).toEqual(expected);
});
