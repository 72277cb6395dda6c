import { basename } from "node:path";
import { type Block, blocksOf, textOf } from "./blocks.ts";

/**
 * How a program is tested: by Node.js, by a test runner, or by the compiler only, where it needs a browser or its block is
 * marked `<!-- not run: why -->`.
 */
export type Runner = "node" | "vitest" | "node:test" | "jest" | "compiler";

/** A step of a reader of the page, in the order of the page. */
export type Step =
  | { readonly kind: "program"; readonly runner: Runner; readonly name: string; readonly code: string }
  | { readonly kind: "shell"; readonly code: string; readonly line: number }
  | { readonly kind: "file"; readonly name: string; readonly code: string };

/** A program of a page. Its code keeps its line numbers, so that errors name the lines of the page. */
export type Program = Extract<Step, { kind: "program" }>;

/** Returns the steps of a page. Throws for a block of unknown kind without `<!-- fragment: why -->`. */
export function stepsOf(page: string): Step[] {
  const steps: Step[] = [];
  // A file of another page, as in [`seen.mts`](receive-webhooks.md#remember-webhooks-in-sqlite).
  for (const [, file, from] of textOf(page).matchAll(/\[`([\w-]+\.mts)`\]\(([\w-]+\.md)#/g))
    steps.push(...stepsOf(`docs/${from}`).filter((step) => step.kind === "file" && step.name === file));
  for (const block of blocksOf(page)) {
    if (block.note.startsWith("fragment: ")) continue;
    const read = kinds[block.language];
    if (!read) throw new Error(`${page}:${block.line}: mark the block with <!-- fragment: why -->, or complete it`);
    read(block, steps);
  }
  return steps;
}

type Read = (block: Block, steps: Step[]) => void;

const kinds: Readonly<Record<string, Read>> = {
  ts: readProgram,
  js: readProgram,
  sh: ({ code, line }, steps) => steps.push({ kind: "shell", code, line }),
  json: readJson,
  python: readSource,
  go: readSource,
  // Building an image needs a daemon.
  dockerfile: () => {},
  // The output of a program or the response of a server. There is nothing to run.
  text: () => {},
};

/** Returns the file name in a block's first line, as in `// webhooks.ts` or `# verify.py`. */
export function fileNameOf(code: string): string | undefined {
  return /^(?:\/\/|#) ([\w.-]+\.(?:ts|mts|mjs|js|py|go))\n/.exec(code)?.[1];
}

/** A block with the name of a file is that file. One that imports begins a program; any other continues the program before it. */
function readProgram(block: Block, steps: Step[]): void {
  const name = fileNameOf(block.code);
  if (name !== undefined) return void steps.push({ kind: "file", name, code: block.code });
  const before = steps.findLastIndex(({ kind }) => kind === "program");
  const program = steps[before];
  const begins = /^import\b/m.test(block.code);
  if (begins || program?.kind !== "program") steps.push(programOf(block, steps.length));
  else steps[before] = { ...program, code: joined(program.code, block) };
}

function programOf(block: Block, number: number): Program {
  const runner = runnerOf(block);
  const ending = runner === "node" || runner === "compiler" ? "" : ".test";
  const name = `${basename(block.page, ".md")}-${number + 1}${ending}.m${block.language === "js" ? "js" : "ts"}`;
  return { kind: "program", runner, name, code: "\n".repeat(block.line - 1) + block.code };
}

function runnerOf({ code, language, note }: Block): Runner {
  if (note.startsWith("not run: ") || code.includes("document.body")) return "compiler";
  if (/from "(vitest|@billing-service\/sdk\/mock\/vitest)"/.test(code)) return "vitest";
  if (code.includes('from "node:test"')) return "node:test";
  return language === "js" && /^test\b/m.test(code) ? "jest" : "node";
}

/** A program with a later block of its page behind it. */
function joined(code: string, block: Block): string {
  return code + "\n".repeat(block.line - code.split("\n").length) + block.code;
}

/** JSON has to be well-formed. With `<!-- file: name -->` it is a file, there before any command of the page runs. */
function readJson({ code, note }: Block, steps: Step[]): void {
  JSON.parse(code);
  const name = /^file: (\S+)$/.exec(note)?.[1];
  if (name) steps.unshift({ kind: "file", name, code });
}

/** A block in another language is saved as a file, which the page's commands run. */
function readSource({ page, line, code }: Block, steps: Step[]): void {
  const name = fileNameOf(code);
  if (name === undefined) throw new Error(`${page}:${line}: name the file in the first line, as in "# verify.py"`);
  steps.push({ kind: "file", name, code });
}
