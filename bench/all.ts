/**
 * Runs benchmarks: `npm run bench`, or `npm run bench -- size start` for some. With `--write`, it replaces the results and
 * charts in bench/README.md; benchmarks that did not run keep their results from bench/results.json.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chartOf } from "./chart.ts";
import { asMarkdown, type Table } from "./harness.ts";

const BENCHMARKS: Readonly<Record<string, string>> = {
  client: "A call of the client, beside other SDKs and bare HTTP clients",
  mock: "A request to the mock in the same process",
  server: "The mock as a server",
  usage: "Sending usage events",
  webhooks: "Verifying a webhook, beside the package standardwebhooks",
  size: "Sizes",
  start: "Starting Node.js and reading one endpoint",
  types: "Type-checking a program that reads one endpoint",
  growth: "How cost grows with work",
};

/** The results of a benchmark, and when and where it was measured. */
interface Results {
  readonly measured: string;
  readonly tables: readonly Table[];
}

const here = (file: string) => join(import.meta.dirname, file);
const MARKER = "<!-- results: npm run bench -- --write -->";

const { values, positionals } = parseArgs({ options: { write: { type: "boolean" } }, allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0) {
  throw new Error(`unknown benchmark ${unknown.join(", ")}; expected some of: ${Object.keys(BENCHMARKS).join(", ")}`);
}
const results: Record<string, Results> = existsSync(here("results.json"))
  ? JSON.parse(readFileSync(here("results.json"), "utf8"))
  : {};
for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHMARKS)) results[name] = run(name);
if (values.write) write();

function run(name: string): Results {
  const output = join(mkdtempSync(join(tmpdir(), "bench-")), "tables.json");
  console.log(`\n# ${name}`);
  const env = { ...process.env, BENCH_OUTPUT: output };
  const { status } = spawnSync(process.execPath, [here(`${name}.ts`)], { stdio: "inherit", env });
  if (status !== 0) throw new Error(`The benchmark "${name}" ended with ${status}.`);
  const month = new Date().toLocaleDateString("en", { month: "long", year: "numeric" });
  const cores = `${availableParallelism()} cores of ${cpus()[0]?.model.trim() || "an unknown processor"}`;
  return {
    measured: `${month}, Node.js ${process.versions.node}, ${cores}`,
    tables: JSON.parse(readFileSync(output, "utf8")),
  };
}

function write(): void {
  writeFileSync(here("results.json"), `${JSON.stringify(results, null, 2)}\n`);
  mkdirSync(here("charts"), { recursive: true });
  const sections = Object.entries(BENCHMARKS).flatMap(([name, title]) => {
    const { measured, tables } = results[name] ?? { measured: "", tables: [] };
    if (tables.length === 0) return [];
    writeFileSync(here(`charts/${name}.svg`), chartOf(title, tables));
    const [{ rounds }] = tables as [Table];
    const how = rounds > 1 ? ` Medians of ${rounds} rounds.` : "";
    return `## ${title}\n\n\`npm run bench:${name}\`. ${measured}.${how}\n\n![${title}](charts/${name}.svg)\n\n${tables.map(asMarkdown).join("\n")}`;
  });
  const [before] = readFileSync(here("README.md"), "utf8").split(MARKER);
  writeFileSync(here("README.md"), `${before}${MARKER}\n\n${sections.join("\n")}`);
}
