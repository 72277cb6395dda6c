import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { PAGES, ROOT } from "../paths.ts";
import { currentVersion } from "../versions.ts";

/** Writes the home page: home.md with Current's example and its output. */
export function writeHome(): void {
  const { name } = currentVersion();
  const source = readFileSync(`${ROOT}site/home/example.ts`, "utf8");
  const code = source.replace("#current", `@billing-service/sdk/${name}`);
  const page = readFileSync(`${ROOT}site/home/home.md`, "utf8");
  // It runs with the package's sources.
  const input = source.replace("@billing-service/sdk/mock", "./mock/index.ts");
  const output = execFileSync(process.execPath, ["--input-type=module"], { input, encoding: "utf8", cwd: ROOT });
  writeFileSync(
    `${PAGES}/index.md`,
    page.replace("EXAMPLE\n", code).replace("OUTPUT\n", output).replace("CURRENT", name),
  );
}
