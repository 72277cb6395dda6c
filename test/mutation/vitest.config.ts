import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests of the mutated code. A test that fails ends a run, so those that fail fastest come first. */
const FAST = ["rules", "rules-local", "mock", "webhooks"].map((folder) => `test/${folder}/*.test.ts`);

/** Tests that take longer, for the changes that no fast test detects. */
const SLOW = [
  "test/webhooks/verify-properties.test.ts",
  "test/server/{http,length,max-events,unread-body}.test.ts",
  "test/conformance/{mocks,random-settings}.test.ts",
];

/** Tests that take many seconds, or run in other processes, where Stryker changes nothing. */
const LEFT_OUT = ["test/mock/{frozen,worst-bodies}.test.ts"];

const withSlow = process.env["TESTS"] === "all";
const order = [...FAST, ...SLOW].map((pattern) => pattern.split("/").slice(0, 2).join("/"));

class FastestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => order.findIndex((folder) => moduleId.includes(`/${folder}/`));
    return files.sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: withSlow ? [...FAST, ...SLOW] : FAST,
    exclude: withSlow ? LEFT_OUT : [...LEFT_OUT, ...SLOW],
    // Code that runs while the mock is loaded belongs to every test, not to the first one that loads it.
    setupFiles: ["mock/index.ts", "versions/2025-01/webhooks.ts"],
    // Loading the code takes longer than most tests.
    isolate: false,
    sequence: { sequencer: FastestFirst },
    testTimeout: withSlow ? 60_000 : 10_000,
    env: { TESTED_VERSION: "2025-01" },
  },
});
