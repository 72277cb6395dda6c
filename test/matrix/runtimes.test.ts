import { beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { run } from "../support/workspace.ts";
import { compile, createConsumer, write } from "./consumer.ts";
import { describeMatrix, isMissing } from "./describe-matrix.ts";
import { expectedReport } from "./expected.ts";
import { runtimes } from "./runtimes.ts";

/** The formats of the programs, with how each loads a module. */
const formats = [
  { format: "esm", extension: "mjs", load: "await import(name)" },
  { format: "cjs", extension: "cjs", load: "require(name)" },
] as const;

/** What a program can import, except the fixture, which only works in Vitest. */
const entryPoints = Object.keys(manifest.exports)
  .filter((name) => !name.endsWith(".json") && name !== "./mock/vitest")
  .map((name) => name.replace(".", manifest.name));

describeMatrix("the tarball in a runtime on a server", () => {
  let folder: string;
  beforeAll(async () => {
    folder = createConsumer();
    for (const { format, extension, load } of formats) {
      await compile(folder, "server-side", format);
      write(folder, `entry-points.${extension}`, loading(load));
    }
  });

  const reason = `there is no program for ${process.platform} on ${process.arch}`;
  for (const { name, program = "", parameters } of runtimes) {
    describe.skipIf(isMissing(program !== "", name, reason))(name, () => {
      const print = async (file: string) => {
        const { status, output } = await run(program, [...parameters, file], folder);
        expect(status, output).toBe(0);
        return JSON.parse(output);
      };

      it.each(formats)(
        "calls the mock, in process and as a server, and stores events in SQLite, $format",
        async ({ extension }) => {
          expect(await print(`server-side.${extension}`)).toEqual({ ...expectedReport, stored: 2 });
        },
      );

      it.each(formats)("loads every entry point, $format", async ({ extension }) => {
        expect(Object.keys(await print(`entry-points.${extension}`))).toEqual(entryPoints);
      });
    });
  }
});

/** A program that loads every entry point, and prints the number of its exports. */
function loading(load: string): string {
  return `
    async function main() {
      const loaded = {};
      for (const name of ${JSON.stringify(entryPoints)}) loaded[name] = Object.keys(${load}).length;
      console.log(JSON.stringify(loaded));
      process.exit(); // MSW keeps Deno alive.
    }
    main();
  `;
}
