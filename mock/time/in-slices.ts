import { yieldToEventLoop } from "./yield-to-event-loop.ts";

/** The longest time that work in slices runs before everything else gets a turn, in milliseconds. */
const SLICE = 8;

/** The number of items after which work in slices pauses: some milliseconds of work at most. */
export const ITEMS_AT_ONCE = 500;

/** Work that pauses at every `yield`, and returns a result in the end. */
export type Work<Result> = Generator<undefined, Result, undefined>;

/** Taken when the module loads, before a test can replace it with a fake. */
const now = performance.now.bind(performance);

/**
 * Does work, and lets everything else run between its slices.
 *
 * @returns The result itself, not a promise, when the work never pauses.
 */
export function inSlices<Result>(work: Work<Result>): Result | Promise<Result> {
  const end = now() + SLICE;
  const { done, value } = work.next();
  return done ? value : finishInSlices(work, end);
}

/** @param firstEnd The end of the slice in which the work started. */
async function finishInSlices<Result>(work: Work<Result>, firstEnd: number): Promise<Result> {
  for (let end = firstEnd; ; ) {
    if (now() >= end) {
      await yieldToEventLoop();
      end = now() + SLICE;
    }
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Does work without a break. */
export function atOnce<Result>(work: Work<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
