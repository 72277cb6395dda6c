import { existsSync, globSync, readFileSync } from "node:fs";

/** The name of an output file without `dist/` and ending, by the source file that it is built from. */
export type Doors = Readonly<Record<string, string>>;

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly bin?: Readonly<Record<string, string>>;
}

const root = new URL("..", import.meta.url);

/**
 * Every door of the package, read from `exports` of package.json: a new door is one line there. What is built to
 * `dist/index.js` is written in `src/index.ts`; every other `dist/<name>.js` in `<name>.ts`.
 */
export function doors(): Doors {
  return built(
    Object.values(manifest().exports).map((target) => (typeof target === "string" ? target : target.default)),
  );
}

/** Every command of the package, read from `bin` of package.json. */
export function commands(): Doors {
  return built(Object.values(manifest().bin ?? {}));
}

function manifest(): Manifest {
  return JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as Manifest;
}

function built(targets: readonly string[]): Doors {
  const names = targets.flatMap((target) => /^(?:\.\/)?dist\/(.+)\.js$/.exec(target)?.[1] ?? []);
  return Object.fromEntries(names.flatMap(expand).map((name) => [name, sourceOf(name)]));
}

/** The names of the versions that the package holds, oldest first. */
export function versionNames(): string[] {
  return globSync("versions/20*/", { cwd: root })
    .map((folder) => folder.replace(/^versions\/|\/$/g, ""))
    .sort();
}

function expand(name: string): string[] {
  return name.includes("*") ? versionNames().map((version) => name.replace("20*", version)) : [name];
}

function sourceOf(name: string): string {
  const source = name === "index" ? "src/index.ts" : `${name}.ts`;
  if (!existsSync(new URL(source, root)))
    throw new Error(`package.json promises dist/${name}.js, but there is no ${source}`);
  return source;
}
