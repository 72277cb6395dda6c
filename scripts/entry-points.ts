import { existsSync, globSync, readFileSync } from "node:fs";

/** The source file of each output file, by the name of the output file without `dist/` and extension. */
export type EntryPoints = Readonly<Record<string, string>>;

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly import: { readonly default: string } }>>;
}

const root = new URL("..", import.meta.url);

/**
 * Returns every entry point of the package from `exports` of package.json. The source of `dist/<name>.js` is `<name>.ts`,
 * or `src/<name>.ts` if that file does not exist.
 */
export function entryPoints(): EntryPoints {
  const targets = Object.values(manifest().exports).map((each) =>
    typeof each === "string" ? each : each.import.default,
  );
  const names = targets.flatMap((target) => /^(?:\.\/)?dist\/(.+)\.js$/.exec(target)?.[1] ?? []);
  return Object.fromEntries(names.map((name) => [name, sourceOf(name)]));
}

/** Returns the command `billing`, and the files that it loads for its commands: each `cli/<name>.ts`, except its own part. */
export function commands(): EntryPoints {
  const files = globSync("cli/*.ts", { cwd: root }).filter((file) => file !== "cli/run.ts");
  return Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ""), file]));
}

function manifest(): Manifest {
  return JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as Manifest;
}

/** Returns the names of the versions in the package, oldest first. */
export function versionNames(): string[] {
  return globSync("versions/20*/", { cwd: root })
    .map((folder) => folder.replace(/^versions\/|\/$/g, ""))
    .sort();
}

function sourceOf(name: string): string {
  const sources = [`${name}.ts`, `src/${name}.ts`];
  const source = sources.find((file) => existsSync(new URL(file, root)));
  if (source === undefined)
    throw new Error(`package.json lists dist/${name}.js, but neither ${sources.join(" nor ")} exists.`);
  return source;
}
