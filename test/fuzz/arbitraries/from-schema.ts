import fc from "fast-check";
import type * as z from "zod/mini";
import type { Schema } from "../../../src/contract/index.ts";

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
  api_version: ["2024-10", "2025-01", "2025-04"],
  // Another organization's is rejected, so it is mostly left out.
  organization_id: [],
};

function fieldOf(name: string, schema: AnySchema): fc.Arbitrary<unknown> {
  const meant = MEANT[name];
  if (!meant) return fitting(schema);
  const { type } = (schema as z.core.$ZodTypes)._zod.def;
  const usual = type === "optional" ? fc.constantFrom(...meant, ABSENT) : fc.constantFrom(...meant);
  return fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: fitting(schema) });
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
