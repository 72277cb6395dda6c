import { yieldToEventLoop } from "./timers.ts";

/** The longest time that all work in slices together runs before everything else gets a turn, in milliseconds. */
const SLICE = 8;

/** The number of items after which work in slices pauses: some milliseconds of work at most. */
export const ITEMS_AT_ONCE = 500;

/** Work that pauses at every `yield`, and returns a result in the end. */
export type Work<Result> = Generator<undefined, Result, undefined>;

/** Taken when the module loads, before a test can replace it with a fake. */
const now = performance.now.bind(performance);

/** The end of the slice that all work shares; undefined until work starts one. */
let sliceEnd: number | undefined;

/**
 * Does work, and lets everything else run between its slices.
 *
 * @returns The result itself, not a promise, when the work never pauses.
 */
export function inSlices<Result>(work: Work<Result>): Result | Promise<Result> {
  const started = now();
  const { done, value } = work.next();
  return done ? value : finishInSlices(work, started);
}

/** @param started The time when the work started. */
async function finishInSlices<Result>(work: Work<Result>, started: number): Promise<Result> {
  for (let time = started; ; ) {
    sliceEnd ??= startSlice(time);
    if (now() >= sliceEnd) await yieldToEventLoop();
    time = now();
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Starts a slice that lasts until everything else had a turn. */
function startSlice(started: number): number {
  void yieldToEventLoop().then(() => {
    sliceEnd = undefined;
  });
  return started + SLICE;
}

/** Does work without a break. */
export function atOnce<Result>(work: Work<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
