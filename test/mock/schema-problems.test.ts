import { expect, it } from "vitest";
import * as z from "zod/mini";
import { problemsOf } from "../../mock/validation/problems.ts";

it.each([
  ["the one that another branch misses", { age: 1 }, { id: "One of these fields is required: id, name" }],
  ["none that is there, but wrong", { age: 1, name: 7 }, { id: "Field required" }],
  ["none for a field that every branch misses", {}, { id: expect.stringContaining("id, name"), age: "Field required" }],
])("a missing field has alternatives from the other branches of a union: %s", (_, input, expected) => {
  const age = z.number();
  const schema = z.union([z.object({ id: z.string(), age }), z.object({ name: z.string(), age })]);
  const problems = problemsOf(schema.safeParse(input).error?.issues ?? [], input, ["body"]);
  expect(Object.fromEntries(problems.map(({ loc, msg }) => [loc.at(-1), msg]))).toEqual(expected);
});
