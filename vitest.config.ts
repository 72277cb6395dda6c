import { configDefaults, defineConfig } from "vitest/config";

/** The tests that go through MSW; they run once against each version of it that the package supports. */
const mswTests = ["test/msw/**/*.test.ts"];

/** The tests of the package as it is published; they need the build. */
const packageTests = ["test/package/**/*.test.ts"];

export default defineConfig({
  test: {
    reporters: ["default", "./test/support/summary-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "source",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...mswTests, ...packageTests],
        },
      },
      { extends: true, test: { name: "msw 3", include: mswTests } },
      {
        extends: true,
        resolve: { alias: [{ find: /^msw(?=\/|$)/, replacement: "msw-2" }] },
        test: { name: "msw 2", include: mswTests },
      },
      {
        extends: true,
        test: { name: "package", include: packageTests, globalSetup: "test/support/built.ts", testTimeout: 60_000 },
      },
    ],
  },
});
