import fc from "fast-check";

/** The seed of every run in the tests, so that a failure is the same on every machine. */
const FIXED_SEED = 20_250_101;

const { FUZZ_SEED: seed, FUZZ_TIMES: factor = "1" } = process.env;

/** Options of a test that checks a property: as much time as so many cases may take on a busy machine. */
export const patient = { timeout: 180_000 * Number(factor) };

/**
 * Checks a property. A failure prints the seed and the path to the smallest case; `FUZZ_SEED=<seed>` runs that
 * seed again, `FUZZ_SEED=random` takes another one each time, and `FUZZ_TIMES=10` makes ten times as many cases.
 */
export function times<Case>(runs: number): fc.Parameters<Case> {
  const numRuns = Math.ceil(runs * Number(factor));
  if (seed === "random") return { numRuns };
  return { numRuns, seed: seed === undefined ? FIXED_SEED : Number(seed) };
}

/** Checks a property with cases from the seed. */
export async function holds<Case>(
  runs: number,
  cases: fc.Arbitrary<Case>,
  check: (value: Case) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(cases, check), times(runs));
}
