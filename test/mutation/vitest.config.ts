import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The tests of the mutated code. A test that fails ends a run, so the folders whose tests fail fastest come first. */
const TESTS = ["rules", "rules-local", "mock", "webhooks"].map((folder) => `test/${folder}/*.test.ts`);
const SLOW = [
  "test/server/{http,length,max-events,unread-body}.test.ts",
  "test/conformance/{mocks,random-settings}.test.ts",
];
const order = [...TESTS, ...SLOW].map((pattern) => pattern.split("/")[1]);

class FastestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => order.findIndex((folder) => moduleId.includes(`/${folder}/`));
    return files.sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: [...TESTS, ...SLOW],
    // Tests that take many seconds, or run in other processes, where Stryker changes nothing.
    exclude: ["test/mock/{frozen,worst-bodies}.test.ts"],
    // Code that runs while the mock is loaded belongs to every test, not to the first one that loads it.
    setupFiles: ["test/support/undo.ts", "mock/index.ts", "test/webhooks/signed.ts"],
    // Loading the code takes longer than most tests.
    isolate: false,
    sequence: { sequencer: FastestFirst },
    testTimeout: 60_000,
  },
});
