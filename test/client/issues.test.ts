import { expect, it } from "vitest";
import * as z from "zod/mini";
import { describeIssue, flattenIssues } from "../../src/contract/flatten-issues.ts";

function described(schema: z.ZodMiniType, input: unknown): string[] {
  return flattenIssues(schema.safeParse(input).error?.issues ?? [], input).map((leaf) => describeIssue(leaf).message);
}

it.each([
  [z.int(), 1.5, "expected int, received number"],
  [z.enum([..."abcdefg"]), "z", 'expected one of "a", "b", "c", "d", "e" or 2 more, received "z"'],
  [z.enum(["a"]), "x".repeat(50), 'expected "a", received string'],
  [z.literal(5), { x: 1 }, "expected 5, received object"],
  [z.uuidv4(), "hidden", "expected a valid uuid, received another string"],
  [z.string().check(z.regex(/^a$/)), "hidden", "expected a string matching /^a$/, received another string"],
  [z.string().check(z.refine(() => false, "is odd")), "x", "is odd"],
])("describeIssue states what was expected and received, %#", (schema, input, message) => {
  expect(described(schema, input)).toEqual([message]);
});
