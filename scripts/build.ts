import { execFileSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build as bundle } from "tsup";
import { commands, type EntryPoints, entryPoints } from "./entry-points.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Vitest, which also builds, has no `import.meta.resolve`. */
const { resolve } = createRequire(import.meta.url);
const code = ["src/**/*.ts", "versions/**/*.ts", "mock/**/*", "conformance/**/*.ts", "cli/**/*.ts"];
const sources = [...code, "package.json", "tsconfig.json", "scripts/tsup.config.ts"];
const cache = `${root}node_modules/.cache/build`;

/**
 * Builds the package into `dist`. With `ifStale`, only if the sources are newer. With `types`, also writes the declarations,
 * which doubles the time.
 */
export async function build({ ifStale = false, types = false }): Promise<void> {
  if (ifStale && isFresh(types)) return;
  const started = new Date();
  const config = `${root}scripts/tsup.config.ts`;
  const declarations = mkdtempSync(join(tmpdir(), "declarations-"));
  try {
    await bundle({ config, dts: types && { entry: writeDeclarations(declarations) }, clean: types });
  } finally {
    rmSync(declarations, { recursive: true });
  }
  // A command starts in half the time if everything is in its own file.
  rmSync(`${root}dist/cli`, { recursive: true, force: true });
  for (const [name, source] of Object.entries(commands())) {
    await bundle({ config, entry: { [name]: source }, format: "esm", dts: false, clean: false });
  }
  writeFileSync(`${root}dist/THIRD-PARTY-NOTICES.md`, notices());
  if (types) globSync("dist/**/*.d.cts", { cwd: root }).forEach(allowModulesOnly);
  mark("js", started);
  if (types) mark("types", started);
}

/**
 * Writes the declarations of each source to a folder, where tsup bundles them. Together, this takes a third of the time that tsup
 * needs without TypeScript 7. Returns the entry points among them.
 *
 * @throws Error if the sources have type errors; they are printed.
 */
function writeDeclarations(folder: string): EntryPoints {
  const tsc = `${root}node_modules/typescript-7/bin/tsc`;
  const flags = ["--noEmit", "false", "--emitDeclarationOnly", "--outDir", folder];
  execFileSync(process.execPath, [tsc, "-p", root, ...flags], { stdio: "inherit" });
  for (const file of globSync("**/*.d.ts", { cwd: folder })) {
    const text = readFileSync(join(folder, file), "utf8").replaceAll(/"#\w+[^"]*"/g, (name) => {
      const source = resolve(name.slice(1, -1));
      return JSON.stringify(`./${relative(dirname(join(root, file)), source)}`);
    });
    // The bundler finds the declarations neither of "#current" nor of "./x.ts".
    writeFileSync(join(folder, file), text.replaceAll(/((?:from|import\() ?"\.[^"]+)\.tsx?"/g, '$1.js"'));
  }
  const entries = Object.entries(entryPoints()).map(
    ([name, source]) => [name, source.replace(/\.ts$/, ".d.ts")] as const,
  );
  return Object.fromEntries(entries.map(([name, source]) => [name, join(folder, source)]));
}

/**
 * Lets CommonJS programs use the types of MSW 3, which consists of ES modules only: TypeScript knows them, but rejects each
 * import under `module: node16`. MSW 2 has types for both, so the import must not name one kind of module.
 */
function allowModulesOnly(file: string): void {
  const text = readFileSync(root + file, "utf8");
  const changed = text
    .replaceAll(/^import 'msw';\n/gm, "")
    .replaceAll(/^import .* from 'msw';$/gm, (line) => `// @ts-ignore\n${line}`);
  if (changed !== text) writeFileSync(root + file, changed);
}

/** The packages with code in the build. test/package/bundled.test.ts finds one that is missing. */
const BUNDLED = ["ky", "preact", "pure-rand", "zod"];

/** Returns the licenses of the packages with code in the build, which must come with it. */
function notices(): string {
  const sections = BUNDLED.map((name) => {
    const [file = ""] = globSync(`node_modules/${name}/{license,LICENSE}*`, { cwd: root });
    return `## ${name}\n\n${readFileSync(root + file, "utf8").trim()}\n`;
  });
  return `# Third-party notices\n\nThis package contains code from these packages.\n\n${sections.join("\n")}`;
}

/** Whether the output is newer than the sources. With `types`, the type declarations must be, too. */
export function isFresh(types = false): boolean {
  const stamp = `${cache}/${types ? "types" : "js"}`;
  if (!existsSync(stamp) || !existsSync(`${root}dist/index.js`)) return false;
  const built = statSync(stamp).mtimeMs;
  return globSync(sources, { cwd: root }).every((file) => statSync(root + file).mtimeMs <= built);
}

/** Records the start of a build, so that a source that changed during the build counts as newer. */
function mark(kind: "js" | "types", time: Date): void {
  mkdirSync(cache, { recursive: true });
  writeFileSync(`${cache}/${kind}`, "");
  utimesSync(`${cache}/${kind}`, time, time);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { "if-stale": { type: "boolean" }, types: { type: "boolean" } } });
  await build({ ifStale: values["if-stale"] ?? false, types: values.types ?? false });
}
