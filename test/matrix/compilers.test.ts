import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { PUBLISHED } from "../../scripts/measure-size.ts";
import { run } from "../support/workspace.ts";
import { createConsumer, write } from "./consumer.ts";
import { describeMatrix } from "./describe-matrix.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The compilers, by version. */
const compilers = {
  "5.9": join(root, "test/matrix/node_modules/typescript/bin/tsc"),
  "7.0": join(root, "node_modules/typescript-7/bin/tsc"),
};

/** The ways to find modules, with the extensions of the programs: `cts` is compiled to CommonJS. */
const nodenext = { moduleResolution: "nodenext", module: "nodenext", extensions: ["mts", "cts"] };
const resolutions = [
  { moduleResolution: "bundler", module: "preserve", extensions: ["mts"] },
  { ...nodenext, moduleResolution: "node16", module: "node16" },
  nodenext,
];

/** Declarations are checked, except those of TypeScript itself, which take most of the time and are always the same. */
const common = {
  target: "es2022",
  lib: ["es2023", "esnext.disposable", "dom", "dom.iterable"],
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
};

/** Writes a project that compiles a program. Returns the name of its folder. */
function writeProject(
  folder: string,
  program: string,
  { extensions, ...modules }: typeof nodenext,
  more: object,
): string {
  const name = [program, modules.moduleResolution, ...Object.values(more)].join("-");
  const files = extensions.map((extension) => `${program}.${extension}`);
  const compilerOptions = { ...common, ...modules, ...more };
  write(folder, `${name}/tsconfig.json`, JSON.stringify({ compilerOptions, files }));
  const text = readFileSync(join(root, `test/matrix-programs/${program}.ts`), "utf8");
  const published = text.replace(/"(#\w+)/g, (_, state) => `"${PUBLISHED[state]}`);
  for (const file of files) write(folder, `${name}/${file}`, published);
  return name;
}

describeMatrix("the declarations in the tarball", () => {
  let consumer: string;
  beforeAll(() => {
    consumer = createConsumer();
  });

  describe.each(Object.entries(compilers))("with TypeScript %s", (version, tsc) => {
    const compile = (...projects: readonly string[]) =>
      run(process.execPath, [tsc, "--build", ...projects], join(consumer, version));

    it("compile with every way to find modules, with and without exactOptionalPropertyTypes", async () => {
      const projects = resolutions.flatMap((resolution) =>
        [true, false].map((exactOptionalPropertyTypes) =>
          writeProject(join(consumer, version), "types", resolution, { exactOptionalPropertyTypes }),
        ),
      );
      const { status, output } = await compile(...projects);
      expect({ status, output }).toEqual({ status: 0, output: "" });
    });
  });

  it("compile without the library esnext.disposable", async () => {
    const project = writeProject(consumer, "older-libraries", nodenext, { lib: ["es2022", "dom"] });
    const { output } = await run(process.execPath, [compilers["5.9"], "--build", project], consumer);
    expect(output).toBe("");
  });

  it("compile with packages that some entry points need", async () => {
    const project = writeProject(consumer, "peers", nodenext, { types: ["node"] });
    const { output } = await run(process.execPath, [compilers["7.0"], "--build", project], consumer);
    const errors = output.split("\n").filter((line) => /error TS/.test(line));
    expect(errors.filter((line) => /^[^(]*(peers\.[cm]ts|billing-service\/sdk)/.test(line))).toEqual([]);
  });
});
