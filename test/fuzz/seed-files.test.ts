import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { loadSeedFile } from "../../cli/mock/seed-file.ts";
import { UsageError } from "../../cli/shared/arguments.ts";
import { collections } from "../../mock/control/collections.ts";
import { recordFields } from "./arbitraries/control-call.ts";
import { oddJson, oddString } from "./arbitraries/values.ts";
import { holds, patient } from "./parameters.ts";
import { expectSound, furnished } from "./probes.ts";

/** Records with a few odd fields each, in lists of every collection. */
function listOf(name: string): fc.Arbitrary<unknown> {
  const record = fc.dictionary(fc.constantFrom(...(recordFields[name] ?? ["type", "scopes"])), oddJson, { maxKeys: 1 });
  return fc.oneof({ weight: 6, arbitrary: fc.array(record, { maxLength: 2 }) }, { weight: 1, arbitrary: oddJson });
}

const names = [...Object.keys(collections), "tokens"];
const data = fc
  .subarray(names, { minLength: 1, maxLength: 3 })
  .chain((some) => fc.record(Object.fromEntries(some.map((name) => [name, listOf(name)]))));
const seedFiles = fc.oneof(
  { weight: 8, arbitrary: data.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: oddJson.map((value) => JSON.stringify(value) ?? "") },
  { weight: 1, arbitrary: oddString },
);

it("a seed file is loaded completely or rejected, and its records fit the contracts", patient, async () => {
  const path = join(tmpdir(), `seed-${process.pid}.json`);
  onTestFinished(() => rmSync(path, { force: true }));
  let used = 0;
  await holds(700, seedFiles, async (text) => {
    writeFileSync(path, text);
    const { mock } = furnished();
    const problem = problemOf(() => loadSeedFile(path, mock));
    if (problem === undefined) {
      used += 1;
      await expectSound(mock);
    } else {
      expect(problem).toBeInstanceOf(UsageError);
      expect(problem.message).toMatch(/^--seed-data ./);
    }
  });
  expect(used).toBeGreaterThan(50);
});

function problemOf(run: () => void): Error | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
