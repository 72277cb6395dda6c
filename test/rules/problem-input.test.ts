import { describe, expect, it } from "vitest";
import { openAdapter } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

const INGEST = "POST /v1/events/ingest";

/** The first problem with an event whose name is this value. */
async function problemWith(name: unknown): Promise<object> {
  const { send } = await openAdapter({ assumptions: { eventName: { maxLength: 128 } } });
  const { status, body } = await send(INGEST, { json: { events: [usage({ name })] } });
  expect(status).toBe(422);
  return (body as { readonly detail: readonly [object] }).detail[0];
}

describe("the input of a problem in a 422", () => {
  it.each([
    ["a string", "x".repeat(998)],
    ["a list", Array(499).fill(1)],
    ["an object", { a: "x".repeat(992) }],
  ])("G-422-INPUT: is %s of up to 1,000 characters of JSON", async (_, input) => {
    expect(await problemWith(input)).toMatchObject({ input });
  });

  it.each([
    ["a string", "x".repeat(999)],
    ["a string with escapes", '"'.repeat(500)],
    ["a list", Array(501).fill(1)],
    ["an object with a long name", { ["x".repeat(1_000)]: 1 }],
    ["an object with a long value", { a: { b: ["x".repeat(1_000)] } }],
    ["a string of 9 MB", "x".repeat(9_000_000)],
  ])("G-422-INPUT: is left out when it is %s that is longer", async (_, input) => {
    const problem = await problemWith(input);
    expect(problem).toMatchObject({ loc: ["body", "events", 0, "name"] });
    expect(problem).not.toHaveProperty("input");
  });
});
