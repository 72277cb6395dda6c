import type { SerializedError } from "vitest";
import type { Reporter, TestModule } from "vitest/node";

/** Prints the number of passed and failed tests as the last line of a run. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const having = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that could not be loaded, a suite that could not be set up and an error outside of any test each count as one.
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const broken = suites.filter((suite) => suite.errors().length > 0).length + unhandled.length;
    const lines = [
      ...(having("skipped") > 0 ? [`${having("skipped")} skipped`] : []),
      `${having("passed")} passed, ${having("failed") + having("pending") + broken} failed`,
    ];
    // After the output of the other reporters.
    setImmediate(() => process.stdout.write(`\n${lines.join("\n")}\n`));
  }
}
