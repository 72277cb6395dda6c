import fc from "fast-check";
import type * as z from "zod/mini";
import type { Schema } from "../../../src/contract/index.ts";
import { CURRENT, DEPRECATED, NEXT } from "../../support/versions.ts";

/** Strings that often cause bugs. */
const ODD_STRINGS = [
  ...["", " ", "..", "%E0%A4%A", "a/b?c#d", "__proto__", "constructor", "order.paid", "raw", "acme"],
  ...["ann@example.com", "ä@ö.example", CURRENT, "1999-13", "\u0000", "\ud800"],
  "00000000-0000-4000-8000-000000000000",
  "6F1C0A52-3B0D-4C55-9D0E-0A4D1E6F7B21",
  "6f1c0a52-3b0d-1c55-9d0e-0a4d1e6f7b21",
  ...["2025-01-01T00:00:00Z", "2025-02-30T00:00:00Z", "2016-12-31T23:59:60Z", "2025-01-01T00:00:00.123456+05:45"],
  ...["https://app.example/hooks", "http://127.0.0.1:1/", "http://user:secret@app.example/", "ftp://app.example/"],
  ...["😀".repeat(40), "x".repeat(129), "x".repeat(5000)],
];

/** JSON values that often cause bugs. */
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  -0,
  -1,
  1e308,
  2 ** 53,
  [],
  [null],
  {},
  { constructor: { prototype: {} } },
  JSON.parse('{"__proto__":{"polluted":true}}'),
];

/** Generates values of several kinds, each as often as its weight says. */
export function weighted<Value>(...kinds: [weight: number, arbitrary: fc.Arbitrary<Value>][]): fc.Arbitrary<Value> {
  return fc.oneof(...kinds.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** Generates an ordinary or unusual string. */
export const oddString: fc.Arbitrary<string> = weighted(
  [4, fc.constantFrom(...ODD_STRINGS)],
  [1, fc.string({ unit: "binary", maxLength: 20 })],
);

/** A value nested so deep that a recursive function overflows the stack. */
const nested: fc.Arbitrary<unknown> = fc
  .tuple(fc.constantFrom(3, 199, 201, 2400), fc.boolean())
  .map(([depth, lists]) => deep(depth, lists));

/** Generates any JSON value, and often those that cause bugs. */
export const oddJson: fc.Arbitrary<unknown> = weighted(
  [4, oddString],
  [4, fc.constantFrom(...ODD_VALUES)],
  [2, fc.jsonValue({ maxDepth: 3 })],
  [1, nested],
);

/** Returns a value of `levels` levels, without recursion. */
function deep(levels: number, lists: boolean): unknown {
  let value: unknown = "bottom";
  for (let level = 0; level < levels; level++) value = lists ? [value] : { a: value };
  return value;
}

type AnySchema = z.core.$ZodType;
type Make = (schema: never) => fc.Arbitrary<unknown>;

/** Removes a field of an object. */
const ABSENT = Symbol("absent");

/** Generates values that a schema accepts, derived only from the schema. */
export function fitting(schema: Schema | AnySchema): fc.Arbitrary<unknown> {
  const { type } = (schema as z.core.$ZodTypes)._zod.def;
  const make = MAKERS[type];
  if (!make) throw new Error(`fitting: add a maker for schemas of the type "${type}".`);
  return make(schema as never);
}

const MAKERS: Readonly<Record<string, Make>> = {
  string: stringOf,
  number: numberOf,
  boolean: () => fc.boolean(),
  never: () => fc.constant(ABSENT),
  unknown: () => fc.jsonValue({ maxDepth: 3 }),
  literal: ({ _zod: { def } }: z.core.$ZodLiteral) => fc.constantFrom(...def.values),
  enum: ({ _zod: { def } }: z.core.$ZodEnum) => fc.constantFrom(...Object.values(def.entries)),
  array: ({ _zod: { def } }: z.core.$ZodArray) => fc.array(fitting(def.element), { maxLength: 4 }),
  union: ({ _zod: { def } }: z.core.$ZodUnion) => fc.oneof(...def.options.map(fitting)),
  nullable: ({ _zod: { def } }: z.core.$ZodNullable) => fc.option(fitting(def.innerType)),
  optional: ({ _zod: { def } }: z.core.$ZodOptional) => fc.option(fitting(def.innerType), { nil: ABSENT }),
  record: ({ _zod: { def } }: z.core.$ZodRecord) =>
    fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }).filter(isPlain), fitting(def.valueType), { maxKeys: 4 }),
  object: ({ _zod: { def } }: z.core.$ZodObject) =>
    fc
      .record(Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, fieldOf(name, field)])))
      .map(present),
};

/** Fields whose meaning the contract leaves to its prose: most values of their schema are rejected. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  url: ["https://app.example/hooks", "http://localhost:3000/hooks", "https://app.example/?a=1"],
  api_version: [DEPRECATED, CURRENT, NEXT],
  // Another organization's is rejected, so it is mostly left out.
  organization_id: [],
};

function fieldOf(name: string, schema: AnySchema): fc.Arbitrary<unknown> {
  const meant = MEANT[name];
  if (!meant) return fitting(schema);
  const { type } = (schema as z.core.$ZodTypes)._zod.def;
  const usual = type === "optional" ? fc.constantFrom(...meant, ABSENT) : fc.constantFrom(...meant);
  return weighted([3, usual], [1, fitting(schema)]);
}

function stringOf(schema: z.core.$ZodString): fc.Arbitrary<unknown> {
  const { format } = schema._zod.def as { readonly format?: string };
  const { minimum = 0, maximum = minimum + 30, patterns } = schema._zod.bag as z.core.$ZodString["_zod"]["bag"];
  if (format === "uuid") return fc.uuid({ version: 4 });
  if (format === "datetime") return moment;
  const [pattern] = patterns ?? [];
  if (pattern) return fc.stringMatching(pattern);
  return fc.string({ minLength: minimum, maxLength: maximum });
}

const moment = fc
  .tuple(
    fc.date({ min: new Date("1971-01-01"), max: new Date("2024-01-01"), noInvalidDate: true }),
    fc.constantFrom("Z", "+00:00", "-11:30", "+05:45"),
  )
  .map(([date, zone]) => date.toISOString().replace("Z", zone));

function numberOf(schema: z.core.$ZodNumber): fc.Arbitrary<unknown> {
  const { minimum = -1000, maximum = minimum + 2000, format } = schema._zod.bag;
  const range = { min: minimum, max: maximum };
  return format === undefined ? fc.double({ ...range, noNaN: true }) : fc.integer(range);
}

function isPlain(name: string): boolean {
  return name !== "__proto__";
}

function present(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ABSENT));
}

type Change = (value: unknown) => unknown;

/** The place of a value in another: the names and indexes that lead to it. */
type Path = readonly (string | number)[];

/** A change at one place of a value. */
const change: fc.Arbitrary<Change> = weighted(
  [3, oddJson.map((odd) => () => odd)],
  [1, fc.constant(() => undefined)],
  [1, fc.tuple(oddString, oddJson).map(([name, odd]) => adding(name, odd))],
  [1, fc.constant((value: unknown) => (Array.isArray(value) ? [...value, ...value] : [value]))],
);

/** Generates a valid value with one to three changes: removed, replaced, wrapped, or with another field. */
export function broken(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const changes = fc.array(fc.tuple(fc.nat(), change), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(values, changes)
    .map(([value, list]) => list.reduce((changed, [spot, make]) => changedAt(changed, spot, make), value));
}

function changedAt(value: unknown, number: number, make: Change): unknown {
  const spots = spotsOf(value, []);
  return replaced(value, spots[number % spots.length] as Path, make);
}

/** Returns the places in a value down to a few levels. The contract does not describe deeper ones. */
function spotsOf(value: unknown, path: Path): Path[] {
  const children = typeof value === "object" && value !== null && path.length < 5 ? Object.entries(value) : [];
  const key = (name: string) => (Array.isArray(value) ? Number(name) : name);
  return [path, ...children.slice(0, 20).flatMap(([name, child]) => spotsOf(child, [...path, key(name)]))];
}

function replaced(value: unknown, [key, ...rest]: Path, make: Change): unknown {
  if (key === undefined) return make(value);
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? replaced(item, rest, make) : item));
  const fields = Object.entries(value as object);
  return Object.fromEntries(fields.map(([name, item]) => [name, name === key ? replaced(item, rest, make) : item]));
}

function adding(name: string, odd: unknown): Change {
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return odd;
    return Object.fromEntries([...Object.entries(value), [name, odd]]);
  };
}
