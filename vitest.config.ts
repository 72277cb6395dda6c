import { configDefaults, defineConfig } from "vitest/config";

// The programs that tests start print for the tests: what they say is compared, and a colour is for people.
delete process.env["FORCE_COLOR"];

/** The tests that go through MSW; they run once against each version of it that the package supports. */
const mswTests = ["test/msw/**/*.test.ts"];

/** The tests of the rules; they run once through each door to the mock (test/support/door.ts). */
const doorTests = ["test/rules/**/*.test.ts", "test/journey/**/*.test.ts", "test/fuzz/service.test.ts"];

/** The tests of rules that need what lives in this process alone: functions, contracts, host names that exist nowhere. */
const localDoorTests = ["test/rules-local/**/*.test.ts"];

const inProcess = [...doorTests, ...localDoorTests];
const throughDoor = { include: inProcess, isolate: false };
const throughServer = { ...throughDoor, include: doorTests };
const msw2 = { alias: [{ find: /^msw(?=\/|$)/, replacement: "msw-2" }] };

/** The tests of the package as it is published; they need the build. */
const packageTests = ["test/package/**/*.test.ts"];

export default defineConfig({
  test: {
    // Patient where a test waits for a browser or another process: the machine may have a lot to do.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 30_000,
    // Before the tests of a file a browser starts, packages are installed, a compiler or a linter runs.
    hookTimeout: 120_000,
    reporters: ["default", "./test/support/summary-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "source",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...inProcess, ...mswTests, ...packageTests],
        },
      },
      { extends: true, test: { ...throughDoor, name: "rules, fetch", env: { DOOR: "fetch" } } },
      { extends: true, test: { ...throughDoor, name: "rules, msw 3", env: { DOOR: "msw" } } },
      { extends: true, resolve: msw2, test: { ...throughDoor, name: "rules, msw 2", env: { DOOR: "msw" } } },
      { extends: true, test: { ...throughServer, name: "rules, server", env: { DOOR: "server" } } },
      { extends: true, test: { name: "msw 3", include: mswTests } },
      { extends: true, resolve: msw2, test: { name: "msw 2", include: mswTests } },
      {
        extends: true,
        test: { name: "package", include: packageTests, globalSetup: "test/support/built.ts", testTimeout: 60_000 },
      },
    ],
  },
});
