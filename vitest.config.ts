import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

// Tests compare the output of the programs that they start, so it must not be colored.
delete process.env["FORCE_COLOR"];
// The programs that tests start load the TypeScript sources in two thirds of the time with a compile cache.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/compile", import.meta.url));

/** The tests of MSW; they run once with each supported version of it. */
const mswTests = ["test/msw/**/*.test.ts"];

/** The tests of the rules; they run in process, with Current. */
const ruleTests = ["rules", "rules-local"].map((folder) => `test/${folder}/**/*.test.ts`);

/** The tests of the rules that depend on a version's shapes; they run with the other versions, too. */
const shapeTests = [
  "test/rules/{endpoint-fields,endpoint-writing,event-fields,scopes-and-types,authorizing,products,journey}.test.ts",
];

const msw2 = { alias: [{ find: /^msw(?=\/|$)/, replacement: "msw-2" }] };

/** The tests of the examples; they need the build. */
const exampleTests = ["test/examples/**/*.test.ts"];

/** The tests of the published package; they need the build with its declarations. */
const packageTests = ["test/package/**/*.test.ts"];

/** The tests of the documentation site; they need the built site. */
const siteTests = ["test/site/**/*.test.ts"];

/** The tests of the published package in other runtimes, bundlers, compilers and test runners. */
const matrixTests = ["test/matrix/**/*.test.ts"];

/** Tests that need Chromium or Redis, kill or stop processes, use large amounts of data, or release a copy of the project. */
const slowTests = [
  "test/{browser,inspector}/**/*.test.ts",
  "test/**/*redis*.test.ts",
  "test/usage/postgres-server.test.ts",
  "test/{usage/crash,cli/ingest-resume,server/stopping}.test.ts",
  "test/{mock/worst-bodies,openapi/fuzzed-responses,client/peer-failures,client/patterns}.test.ts",
  "test/scripts/version-cut.test.ts",
];

/** The versions in the package, oldest first. */
const versions = readdirSync(new URL("versions", import.meta.url))
  .filter((name) => /^\d{4}-\d\d$/.test(name))
  .sort();

/** Tests of projects of their own. */
const apart = [...ruleTests, ...mswTests, ...exampleTests, ...packageTests, ...matrixTests, ...siteTests, ...slowTests];

/** The names of the projects that only `npm test -- --full` runs; scripts/verify.ts reads them. */
export const FULL: readonly string[] = ["slow", "package", "site", "matrix"];

/** The names of the projects that `npm test -- --full` runs last: they need the site, or the packages of test/matrix. */
export const PREPARED: readonly string[] = ["site", "matrix"];

const rules = (version: string) => ({
  name: `rules, ${version}`,
  include: version === versions[1] ? ruleTests : shapeTests,
  env: { TESTED_VERSION: version },
});
const smoke = (adapter: string) => ({ include: ["test/rules/smoke.ts"], env: { ADAPTER: adapter } });

/** Limits for tests that wait for a browser, an installation or another process on a busy machine. */
const patient = { testTimeout: 180_000, expect: { poll: { timeout: 45_000 } } };

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 15_000,
    // Hooks start a browser, install packages, or run a compiler or linter.
    hookTimeout: 300_000,
    setupFiles: "test/support/undo.ts",
    // Tests leave nothing behind, so that the next file can use the modules that are already loaded.
    isolate: false,
    reporters: ["default", "./test/support/summary-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "source",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...apart],
        },
      },
      ...versions.map((version) => ({ extends: true as const, test: rules(version) })),
      { extends: true, test: { ...smoke("msw"), name: "smoke, msw 3" } },
      { extends: true, test: { ...smoke("server"), name: "smoke, server" } },
      {
        extends: true,
        test: { name: "examples", include: exampleTests, globalSetup: "test/support/built.ts", ...patient },
      },
      { extends: true, test: { name: "slow", include: slowTests, ...patient } },
      { extends: true, test: { name: "msw 3", include: mswTests, isolate: true } },
      { extends: true, resolve: msw2, test: { name: "msw 2", include: mswTests, isolate: true } },
      {
        extends: true,
        test: { name: "package", include: packageTests, globalSetup: "test/support/published.ts", ...patient },
      },
      {
        extends: true,
        test: { name: "site", include: siteTests, globalSetup: "test/site/built-site.ts", ...patient },
      },
      {
        extends: true,
        test: { name: "matrix", include: matrixTests, globalSetup: "test/matrix/setup.ts", ...patient },
      },
    ],
  },
});
