import { expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import { inSlices, type Work } from "../../mock/time/in-slices.ts";
import { parseBody } from "../../mock/validation/parse-body.ts";

function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

function* longStep(turns: () => number): Work<number> {
  work(20);
  yield;
  return turns();
}

function* longSteps(turns: () => number): Work<readonly number[]> {
  const seen: number[] = [];
  for (let step = 0; step < 4; step++) {
    work(20);
    yield;
    seen.push(turns());
  }
  return seen;
}

function* shortSteps(done: () => void): Work<void> {
  for (let step = 0; step < 20; step++) {
    work(3);
    done();
    yield;
  }
}

it("other work gets a turn after a first step that takes long", async () => {
  let turns = 0;
  setImmediate(() => {
    turns += 1;
  });
  expect(await inSlices(longStep(() => turns))).toBe(1);
});

it("other work gets a turn after each later step that takes long", async () => {
  let turns = 0;
  let turn = setImmediate(function count() {
    turns += 1;
    turn = setImmediate(count);
  });
  expect(await inSlices(longSteps(() => turns))).toEqual([1, 2, 3, 4]);
  clearImmediate(turn);
});

it("two works at a time share the slices", async () => {
  const steps = [0];
  let turn = setImmediate(function count() {
    steps.push(0);
    turn = setImmediate(count);
  });
  const done = () => {
    steps[steps.length - 1] = (steps.at(-1) as number) + 1;
  };
  await Promise.all([inSlices(shortSteps(done)), inSlices(shortSteps(done))]);
  clearImmediate(turn);
  expect(steps.reduce((sum, number) => sum + number)).toBe(40);
  expect(Math.max(...steps)).toBeLessThan(6);
});

it.each([
  ["a small body is read at once", 1_000, 0],
  ["a large body is parsed in parts", 500_000, 15],
])("%s", (_, length, expected) => {
  const text = JSON.stringify(Array.from({ length }, () => 0));
  const parsing = parseBody({ text, isGarbled: false, contentType: "application/json" }, createMock().assumptions);
  let pauses = 0;
  let step = parsing.next();
  for (; !step.done; step = parsing.next()) pauses += 1;
  expect(pauses).toBe(expected);
  expect(step.value).toMatchObject({ value: JSON.parse(text) });
});
