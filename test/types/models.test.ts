import { spawnSync } from "node:child_process";
import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadVersion } from "../../scripts/generate/version-source.ts";
import { newFolder } from "../support/new-folder.ts";
import { NEXT } from "../support/versions.ts";

const root = join(import.meta.dirname, "../..");
const from = (file: string) => `import(${JSON.stringify(join(root, file))})`;

/** Returns a program with one error for each schema that does not describe the same JSON as the model that users import. */
function programOf(names: readonly string[]): string {
  const files = globSync(`versions/${NEXT}/*.ts`, { cwd: root }).map((file) => `typeof ${from(file)}`);
  const lines = names.map((name) => {
    const model = `${from(`versions/${NEXT}/index.ts`)}.${name}`;
    return `export const ${name}: ${from("test/types/same.ts")}.Same<Schemas["${name}Schema"], ${model}> = true;`;
  });
  return [`type Schemas = ${files.join(" & ")};`, ...lines].join("\n");
}

it("each schema of Next, the only version that may change, describes the same JSON as its model", async () => {
  const { models } = await loadVersion(NEXT);
  // The schema of ProductList also accepts an array, because the specification does not show a page.
  const names = Object.keys(models).filter((name) => name !== "ProductList");
  const folder = newFolder();
  writeFileSync(join(folder, "models.mts"), programOf(names));
  const compilerOptions = { typeRoots: [join(root, "node_modules/@types")] };
  const config = { extends: join(root, "tsconfig.json"), compilerOptions, include: ["models.mts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const args = [join(root, "node_modules/typescript-7/bin/tsc"), "-p", folder];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const differing = [...stdout.matchAll(/^.*models\.mts\((\d+)/gm)].map(([, line]) => names[Number(line) - 2]);
  expect({ differing, stdout }).toEqual({ differing: [], stdout: "" });
});
