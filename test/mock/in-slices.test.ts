import { expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import { inSlices, type Work } from "../../mock/time/in-slices.ts";
import { parseBody } from "../../mock/validation/parse-body.ts";

function* longStep(turns: () => number): Work<number> {
  for (const end = performance.now() + 20; performance.now() < end; );
  yield;
  return turns();
}

it("other work gets a turn after a first step that takes long", async () => {
  let turns = 0;
  setImmediate(() => {
    turns += 1;
  });
  expect(await inSlices(longStep(() => turns))).toBe(1);
});

it.each([
  ["a small body is read at once", 1_000, 0],
  ["a large body is parsed in parts", 500_000, 15],
])("%s", (_, length, expected) => {
  const text = JSON.stringify(Array.from({ length }, () => 0));
  const work = parseBody({ text, isGarbled: false, contentType: "application/json" }, createMock().assumptions);
  let pauses = 0;
  let step = work.next();
  for (; !step.done; step = work.next()) pauses += 1;
  expect(pauses).toBe(expected);
  expect(step.value).toMatchObject({ value: JSON.parse(text) });
});
