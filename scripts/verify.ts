// Verifies the project: the build, lint and types side by side, then the tests. By default these are the tests to run before
// a commit; with `--full`, all of them, which need more packages and the documentation site. Other arguments are passed to
// Vitest, such as the files to run. The last line is always `N passed, N failed`. A check that fails before the tests counts
// as one failure.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { FULL, PREPARED } from "../vitest.config.ts";
import { installMatrix } from "./install.ts";

interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

interface Outcome extends Step {
  readonly status: number;
  readonly output: string;
  readonly seconds: string;
}

// Several versions of TypeScript are installed, and each provides a program "tsc". test/matrix compiles the declarations
// of the package with all of them.
const tsc = "node_modules/typescript-7/bin/tsc";
const full = process.argv.includes("--full");
const parameters = process.argv.slice(2).filter((parameter) => parameter !== "--full");

const FOLDERS = ["src", "versions", "mock", "conformance", "cli", "scripts", "bench", "site"];

/** The slowest come first, so that no slow step is left at the end. */
const checks: readonly Step[] = [
  { name: "build", command: ["node", "scripts/build.ts", "--if-stale", ...(full ? ["--types"] : [])] },
  { name: "types of the tests", command: ["node", tsc, "-p", "test/tsconfig.json"] },
  // A build with declarations checks them.
  ...(full ? [] : [{ name: "types of the package", command: ["node", tsc, "-p", "tsconfig.json"] } as const]),
  { name: "format and lint", command: ["biome", "check", "--error-on-warnings"] },
  { name: "import directions", command: ["depcruise", "--config", "scripts/import-rules.mjs", ...FOLDERS] },
];
const site: Step = { name: "documentation site", command: ["node", "site/build.ts", "--if-stale"] };

/** Runs a command and collects its output. With `live`, also prints the output immediately. */
async function run(step: Step, live = false): Promise<Outcome> {
  const started = performance.now();
  const [file, ...parameters] = step.command;
  // On Windows, programs of packages are scripts, which only a shell runs, and a shell splits at spaces.
  const shell = process.platform === "win32";
  const words = shell ? parameters.map((parameter) => `"${parameter}"`) : parameters;
  const child = spawn(file, words, { stdio: ["ignore", "pipe", "pipe"], shell });
  let output = "";
  const collect = (chunk: string) => {
    output += chunk;
    if (live) process.stdout.write(chunk);
  };
  child.stdout.setEncoding("utf8").on("data", collect);
  child.stderr.setEncoding("utf8").on("data", collect);
  const status = await new Promise<number>((resolve) => {
    child.on("error", (error) => {
      collect(`${error.message}\n`);
      resolve(1);
    });
    child.on("close", (code) => resolve(code ?? 1));
  });
  return { ...step, status, output, seconds: ((performance.now() - started) / 1000).toFixed(1) };
}

/** Runs tests with Vitest, and returns the numbers of those that passed and failed. */
async function runTests(parameters: readonly string[]): Promise<readonly [passed: number, failed: number]> {
  const { status, output } = await run({ name: "tests", command: ["vitest", "run", ...parameters] }, true);
  const [passed = 0, failed = 0] =
    [...output.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1)?.slice(1).map(Number) ?? [];
  return [passed, status === 0 ? failed : Math.max(failed, 1)];
}

/** Runs the tests, and returns their numbers as `runTests` does. Those that need the packages and the site come last. */
async function runAllTests(prepared: Promise<unknown>): Promise<readonly [passed: number, failed: number]> {
  const first = await runTests(without(PREPARED));
  // What could not be prepared is prepared once more by the tests that need it, which show why it failed.
  await prepared;
  const second = await runTests(PREPARED.map((project) => `--project=${project}`));
  return [first[0] + second[0], first[1] + second[1]];
}

function without(projects: readonly string[]): readonly string[] {
  return projects.map((project) => `--project=!${project}`);
}

/** Runs steps in their order, as many at a time as there are cores. */
async function runAll(steps: readonly Step[]): Promise<readonly Outcome[]> {
  const waiting = [...steps];
  const outcomes: Outcome[] = [];
  const runNext = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) outcomes.push(await run(step));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runNext));
  return outcomes;
}

/** Prints the outcomes of checks, and exits if any failed. */
function settle(outcomes: readonly Outcome[]): void {
  for (const { name, status, seconds, output } of outcomes) {
    console.log(`${status === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
    if (status !== 0) console.log(output);
  }
  const failed = outcomes.filter(({ status }) => status !== 0).length;
  if (failed > 0) finish([0, failed]);
}

function finish([passed, failed]: readonly [passed: number, failed: number]): never {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}

if (full && parameters.length === 0) {
  // Prepared in the background: the packages mostly wait for the network, and the site uses one core.
  const prepared = Promise.all([installMatrix(), run(site)]);
  settle(await runAll(checks));
  finish(await runAllTests(prepared));
}
settle(await runAll(checks));
finish(await runTests(full || parameters.length > 0 ? parameters : without(FULL)));
