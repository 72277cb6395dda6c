import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { EventSchema } from "#current/events";
import { bodySchemaOf, quickParse, UNDECIDED } from "../../mock/validation/body-schema.ts";
import { ProblemList } from "../../mock/validation/problems.ts";
import { holds } from "../fuzz/parameters.ts";

const required = (name: string) => z.object({ [name]: z.string(), shared: z.exactOptional(z.number()) });

const schemas: Readonly<Record<string, z.core.$ZodType>> = {
  "an event": EventSchema,
  "an object": required("a"),
  "branches that overlap": z.union([required("a"), required("b")]),
  "a branch without required fields": z.union([z.object({ a: z.optional(z.string()) }), required("b")]),
  "exactly one branch": z.xor([required("a"), required("b")]),
  "a default": z.object({ a: z.string(), b: z._default(z.string(), "default") }),
  "a required field that may be undefined": z.object({ a: z.union([z.string(), z.undefined()]), b: z.unknown() }),
  "a value for undefined": z.object({ a: z.prefault(z.string(), "before"), b: z.catch(z.string(), "caught") }),
  "a field that changes": z.object({ a: z.pipe(z.string(), z.transform(Number)) }),
  "no other fields": z.strictObject({ a: z.string() }),
  "all other fields": z.looseObject({ a: z.string() }),
  "a check of the object": z.object({ a: z.string() }).check(z.refine(({ a }) => a !== "x")),
  "a check of the union": z.union([required("a"), required("b")]).check(z.refine(() => false)),
  "names of Object.prototype": z.object({ constructor: z.unknown(), toString: z.exactOptional(z.unknown()) }),
  "a list": z.array(z.string()),
};

const known = ["name", "customer_id", "external_customer_id"];
const name = fc.constantFrom(...known, "a", "b", "shared", "constructor", "__proto__");
const text = fc.constantFrom("x", "", "1f0b9c3e-6a53-4d6c-9c7f-0a7b4a1f3b11", "2026-01-01T00:00:00Z");
const field = fc.oneof({ weight: 4, arbitrary: text }, fc.integer(), fc.constant(null), fc.jsonValue());
const object = fc.array(fc.tuple(name, field), { maxLength: 4 }).map((fields) => Object.fromEntries(fields));
const value = fc.oneof({ weight: 8, arbitrary: object }, fc.jsonValue());

describe("a quick parse", () => {
  it.each(Object.entries(schemas))("keeps the same as the schema, or leaves the value to it: %s", async (_, schema) => {
    const parse = quickParse(schema);
    await holds(500, value, async (sent) => {
      const kept = parse(sent);
      if (kept === UNDECIDED) return;
      expect(z.safeParse(schema, sent)).toStrictEqual({ success: true, data: kept });
    });
  });

  it("parses valid events without the schema", () => {
    const parse = quickParse(EventSchema);
    const events = [
      { name: "a", external_customer_id: "b", metadata: { deep: { er: 1 } }, other: 1 },
      { name: "a", customer_id: "1f0b9c3e-6a53-4d6c-9c7f-0a7b4a1f3b11", timestamp: "2026-01-01T00:00:00Z" },
    ];
    for (const event of events) expect(parse(event)).toStrictEqual(z.parse(EventSchema, event));
  });
});

it.each([
  ["an open object", z.looseObject({}), "as it is"],
  ["any values", z.record(z.string(), z.unknown()), "as it is"],
  ["numbers", z.record(z.string(), z.number()), "as a copy"],
  ["checked values", z.catchall(z.object({}), z.unknown().check(z.refine(() => false))), "rejected"],
  ["checked names", z.record(z.string().check(z.minLength(2)), z.any()), "rejected"],
  ["UUIDs as names", z.record(z.uuid(), z.unknown()), "rejected"],
])("copies a map only if its names or values are checked: %s", (_, schema, expected) => {
  const map = { a: 1 };
  const kept = Object(bodySchemaOf(z.object({ map: schema })).parse({ map }, new ProblemList(1))).map;
  expect(kept === map ? "as it is" : kept ? "as a copy" : "rejected").toBe(expected);
});
