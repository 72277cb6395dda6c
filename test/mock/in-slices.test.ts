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
  ["a small body is parsed", 1_000, true],
  ["a large body is measured first, and parsed in a second step", 300_000, false],
])("%s", (_, length, done) => {
  const text = JSON.stringify("x".repeat(length));
  const work = parseBody({ text, isGarbled: false, contentType: "application/json" }, createMock().assumptions);
  const first = work.next();
  expect(first.done).toBe(done);
  expect(done ? first.value : work.next().value).toEqual({ value: JSON.parse(text) });
});
