import { expect, it } from "vitest";
import { missingOutput, withWrongAssertions } from "../support/pages/expectations.ts";

const PROGRAM = "console.log(counts.inserted); // 1, since it is new\nconsole.log(list); // [ 503, 200 ]\n";

it("reports expected output that is missing or in another order", () => {
  expect(missingOutput(PROGRAM, "1\nmore\n[ 503, 200 ]\n")).toEqual([]);
  expect(missingOutput(PROGRAM, "2\n[ 503, 200 ]\n")).toEqual(["1, since it is new"]);
  expect(missingOutput(PROGRAM, "[ 503, 200 ]\n1\n")).toEqual(["[ 503, 200 ]"]);
});

it("negates every assertion of a program, and nothing else", () => {
  const program = "assert.equal(1, 1); assert.deepEqual([], []); assert.match(a, /b/); check.equal(2, 2);";
  expect(withWrongAssertions(program)).toBe(
    "assert.notEqual(1, 1); assert.notDeepEqual([], []); assert.doesNotMatch(a, /b/); check.equal(2, 2);",
  );
  expect(withWrongAssertions(PROGRAM)).toBe(PROGRAM);
});
