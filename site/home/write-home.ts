import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { PAGES, ROOT } from "../paths.ts";
import { formatLink } from "../playground/link.ts";
import { currentVersion } from "../versions.ts";

/** Writes the home page: home.md with Current's example and its output. */
export async function writeHome(): Promise<void> {
  const file = `${ROOT}site/home/example.ts`;
  const code = readFileSync(file, "utf8").replace(/(?<=sdk\/)20\d\d-\d\d/, currentVersion().name);
  const page = readFileSync(`${ROOT}site/home/home.md`, "utf8");
  const output = await outputOf(code);
  const link = formatLink({ panel: "code", code });
  writeFileSync(`${PAGES}/index.md`, page.replace("EXAMPLE\n", code).replace("OUTPUT\n", output).replace("LINK", link));
}

/** Runs a program with the package's sources, and returns its output. */
async function outputOf(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, loader: "ts", resolveDir: ROOT },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    alias: { "@billing-service/sdk/mock": `${ROOT}mock`, "@billing-service/sdk": `${ROOT}versions` },
  });
  const input = outputFiles[0]?.contents ?? "";
  return execFileSync(process.execPath, ["--input-type=module"], { input, encoding: "utf8" });
}
