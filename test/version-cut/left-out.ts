/**
 * The tests that are not repeated two quarters later, because they depend on something other than versions: a browser,
 * Redis, a package registry, the amount of data, time, or the way in which a program is started. All others run.
 */
export const leftOut: readonly string[] = [
  // Chromium.
  "test/browser/**",
  "test/inspector/**",
  "test/site/browsing.test.ts",
  "test/site/playground*.test.ts",
  // Redis.
  "test/**/*redis*.test.ts",
  // Other runtimes, bundlers and compilers, with the packages of a registry.
  "test/matrix/**",
  // Large or many inputs.
  "test/client/peer-failures.test.ts",
  "test/fuzz/**",
  "test/mock/in-slices.test.ts",
  "test/mock/large-body.test.ts",
  "test/mock/worst-bodies.test.ts",
  "test/rules/properties.test.ts",
  "test/server/control-size.test.ts",
  "test/server/large-pages.test.ts",
  "test/server/paging.test.ts",
  "test/webhooks/many-endpoints.test.ts",
  "test/webhooks/verify-properties.test.ts",
  // Proxies, addresses and processes that are killed or stopped, and the timing of usage events.
  "test/cli/ingest-resume.test.ts",
  "test/client/proxies.test.ts",
  "test/isolation/**",
  "test/server/reach.test.ts",
  "test/server/stopping.test.ts",
  "test/usage/**",
  "test/webhooks/process.test.ts",
  // Programs in processes of their own, for each operation and each command of a tool.
  "test/cli/ingest.test.ts",
  "test/cli/verify.test.ts",
  "test/package/tarball.test.ts",
  "test/site/examples.test.ts",
  // The release itself, and the scripts of the project.
  "test/scripts/**",
  "test/version-cut/**",
];

/** The projects in vitest.config.ts whose tests run: each test once, and the rules with only one adapter. */
export const projects: readonly string[] = ["source", "source, shared", "rules, fetch", "msw 3", "package", "site"];
