import { expect, it } from "vitest";
import { requireExcerpt } from "../support/pages/excerpts.ts";
import { missingOutput, withWrongAssertions } from "../support/pages/expectations.ts";
import { fileNameOf } from "../support/pages/steps.ts";

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

it("takes the name of a file from the first line of a block", () => {
  expect(fileNameOf("// webhooks.test.ts\nimport x from 'x';\n")).toBe("webhooks.test.ts");
  expect(fileNameOf("// the service, in memory\nimport x from 'x';\n")).toBeUndefined();
});

it("rejects an excerpt that its file does not contain", () => {
  const file = "examples/vitest/report-calls.ts";
  const block = { page: "docs/testing.md", line: 1, language: "ts", note: `excerpt: ${file}` };
  expect(requireExcerpt({ ...block, code: "  return inserted;\n}\n" })).toBe(true);
  expect(requireExcerpt({ ...block, note: "", code: "return nothing;\n" })).toBe(false);
  expect(() => requireExcerpt({ ...block, code: "  return inserted;\n\n  return nothing;\n" })).toThrow(
    `docs/testing.md:1: ${file} does not contain this part of the block:\n  return nothing;`,
  );
});
