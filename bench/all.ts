/**
 * Runs benchmarks: `npm run bench`, or `npm run bench -- size start` for some. With `--write`, it replaces their sections
 * in bench/README.md; the other sections stay.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { asMarkdown, type Table } from "./harness.ts";

const BENCHMARKS: Readonly<Record<string, string>> = {
  client: "A call of the client, beside other SDKs and bare HTTP clients",
  mock: "A request to the mock in the same process",
  usage: "Sending usage events",
  size: "Sizes",
  start: "Starting Node.js and reading one endpoint",
};

const here = (file: string) => join(import.meta.dirname, file);

const { values, positionals } = parseArgs({ options: { write: { type: "boolean" } }, allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0) {
  throw new Error(`unknown benchmark ${unknown.join(", ")}; expected some of: ${Object.keys(BENCHMARKS).join(", ")}`);
}
const sections = new Map<string, string>();
for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHMARKS)) sections.set(name, run(name));
if (values.write) write();

/** Runs a benchmark, and returns its section. */
function run(name: string): string {
  const output = join(mkdtempSync(join(tmpdir(), "bench-")), "tables.json");
  console.log(`\n# ${name}`);
  const env = { ...process.env, BENCH_OUTPUT: output };
  const { status } = spawnSync(process.execPath, [here(`${name}.ts`)], { stdio: "inherit", env });
  if (status !== 0) throw new Error(`The benchmark "${name}" ended with ${status}.`);
  const tables = JSON.parse(readFileSync(output, "utf8")) as [Table, ...Table[]];
  const title = BENCHMARKS[name] as string;
  const month = new Date().toLocaleDateString("en", { month: "long", year: "numeric" });
  const cores = `${availableParallelism()} cores of ${cpus()[0]?.model.trim() || "an unknown processor"}`;
  const rounds = tables[0].rounds > 1 ? ` Medians of ${tables[0].rounds} rounds.` : "";
  const how = `\`npm run bench -- ${name}\`. ${month}, Node.js ${process.versions.node}, ${cores}.${rounds}`;
  return `## ${title}\n\n${how}\n\n${tables.map(asMarkdown).join("\n")}`;
}

function write(): void {
  const [introduction = "", ...written] = readFileSync(here("README.md"), "utf8").split(/^(?=## )/m);
  const all = Object.entries(BENCHMARKS).flatMap(([name, title]) => {
    const section = sections.get(name) ?? written.find((text) => text.startsWith(`## ${title}\n`));
    return section === undefined ? [] : [section.trimEnd()];
  });
  writeFileSync(here("README.md"), `${introduction}${all.join("\n\n")}\n`);
}
