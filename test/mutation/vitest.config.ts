import { defineConfig } from "vitest/config";

const FOLDERS = ["webhooks", "mock", "rules", "rules-local"];

// The tests of the mutated code, in one project. Stryker runs those that reach a change; `TESTS` names fewer, which saves most of
// the time where code runs while a file is loaded.
export default defineConfig({
  test: {
    include: process.env["TESTS"]?.split(",") ?? FOLDERS.map((folder) => `test/${folder}/**/*.test.ts`),
    exclude: ["test/webhooks/{many-endpoints,seen-redis}.test.ts", "test/mock/worst-bodies.test.ts"],
    // They start processes, which cannot load code that Stryker has changed.
    testNamePattern: /^(?!.*a process after emit)/,
    testTimeout: 30_000,
    env: { TESTED_VERSION: "2025-01" },
  },
});
