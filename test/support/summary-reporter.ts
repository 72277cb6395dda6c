import type { SerializedError } from "vitest";
import type { Reporter, TestModule } from "vitest/node";

/** The outcome of a test run. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Returns the last line of a run, `N passed, N failed`, preceded by the number of skipped tests if there are any. */
export function summary({ passed, failed, skipped }: Counts): string {
  return `${skipped > 0 ? `${skipped} skipped\n` : ""}${passed} passed, ${failed} failed`;
}

/**
 * Counts every test; a file that could not be loaded, a suite that could not be set up and an error outside of any test
 * each count as one failure.
 */
export function count(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Counts {
  const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
  const having = (state: string) => states.filter((each) => each === state).length;
  const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
  const broken = suites.filter((suite) => suite.errors().length > 0).length;
  return {
    passed: having("passed"),
    failed: having("failed") + having("pending") + broken + unhandled.length,
    skipped: having("skipped"),
  };
}

/** Prints the last line after the output of the other reporters. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const retried = modules
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => test.diagnostic()?.flaky && test.options.retry === test.project.config.retry)
      .map((test) => `Passed only on the second attempt: ${test.module.relativeModuleId} > ${test.fullName}\n`);
    const lines = summary(count(modules, unhandled));
    setImmediate(() => process.stdout.write(`\n${retried.join("")}${lines}\n`));
  }
}
