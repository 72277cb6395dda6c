import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

// Tests compare the output of the programs that they start, so it must not be colored.
delete process.env["FORCE_COLOR"];
// The programs that tests start load the TypeScript sources in two thirds of the time with a compile cache.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/compile", import.meta.url));

/** The tests of MSW; they run once with each supported version of it. */
const mswTests = ["test/msw/**/*.test.ts"];

/** The tests of the rules; they run once through each adapter (test/support/adapter.ts). */
const adapterTests = ["test/rules/**/*.test.ts", "test/journey/**/*.test.ts", "test/fuzz/service.test.ts"];

/** The tests of rules that only run in process: they use functions, contracts or host names that do not exist. */
const localTests = ["test/rules-local/**/*.test.ts"];

const inProcess = [...adapterTests, ...localTests];
const throughAdapter = { include: inProcess, isolate: false };
const throughServer = { ...throughAdapter, include: adapterTests };
const msw2 = { alias: [{ find: /^msw(?=\/|$)/, replacement: "msw-2" }] };

/** The tests of the client that send requests to a server; they run once through each transport. */
const transportTests = {
  include: ["test/client/**/*.test.ts"],
  // These send nothing, pass their own `fetch` or transport, or pretend to be a browser.
  exclude: [
    "test/client/{accepted-responses,custom-fetch,deprecated-version,inputs,issues,pages,placeholder,polluted,user-agent}.test.ts",
    "test/client/{own-transport,undici-*}.test.ts",
  ],
};

/** Tests that leave nothing behind, so that the next file can use the modules that are already loaded. */
const sharing = ["client", "docs", "freeze", "lifecycle", "mock", "models", "openapi"].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

/** Releases two quarters in a copy of the project and tests the copy; it needs all cores, so it runs after the others. */
const lastTests = ["test/version-cut/two-quarters.test.ts"];

/** The tests of the published package; they need the build. */
const packageTests = ["test/package/**/*.test.ts"];

/** The tests of the documentation site; they need the built site. */
const siteTests = ["test/site/**/*.test.ts"];

/** The tests of the published package in other runtimes, bundlers, compilers and test runners. */
const matrixTests = ["test/matrix/**/*.test.ts"];

/** Tests of projects of their own. */
const apart = [...packageTests, ...matrixTests, ...siteTests, ...lastTests];

export default defineConfig({
  test: {
    // Many tests wait for a process, a browser or Redis, so each core can take more than one.
    maxWorkers: availableParallelism() + 1,
    // Long timeouts for tests that wait for a browser or another process on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 30_000,
    // Hooks start a browser, install packages, or run a compiler or linter.
    hookTimeout: 120_000,
    reporters: ["default", "./test/support/summary-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "source",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...inProcess, ...mswTests, ...sharing, ...apart],
        },
      },
      { extends: true, test: { name: "source, shared", include: sharing, isolate: false } },
      { extends: true, test: { ...throughAdapter, name: "rules, fetch", env: { ADAPTER: "fetch" } } },
      { extends: true, test: { ...throughAdapter, name: "rules, msw 3", env: { ADAPTER: "msw" } } },
      { extends: true, resolve: msw2, test: { ...throughAdapter, name: "rules, msw 2", env: { ADAPTER: "msw" } } },
      { extends: true, test: { ...throughServer, name: "rules, server", env: { ADAPTER: "server" } } },
      { extends: true, test: { ...transportTests, name: "client, undici", env: { TRANSPORT: "undici" } } },
      { extends: true, test: { name: "msw 3", include: mswTests } },
      { extends: true, resolve: msw2, test: { name: "msw 2", include: mswTests } },
      {
        extends: true,
        test: { name: "package", include: packageTests, globalSetup: "test/support/published.ts", testTimeout: 60_000 },
      },
      {
        extends: true,
        test: { name: "two quarters", include: lastTests, testTimeout: 120_000, sequence: { groupOrder: 1 } },
      },
      { extends: true, test: { name: "site", include: siteTests, globalSetup: "test/site/built-site.ts" } },
      {
        extends: true,
        test: { name: "matrix", include: matrixTests, globalSetup: "test/matrix/setup.ts", testTimeout: 120_000 },
      },
    ],
  },
});
