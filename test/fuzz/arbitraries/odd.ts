import fc from "fast-check";

/** Strings that often cause bugs. */
const ODD_STRINGS = [
  "",
  " ",
  "..",
  "%E0%A4%A",
  "a/b?c#d",
  "__proto__",
  "constructor",
  "ann@example.com",
  "ä@ö.example",
  "acme",
  "00000000-0000-4000-8000-000000000000",
  "6F1C0A52-3B0D-4C55-9D0E-0A4D1E6F7B21",
  "6f1c0a52-3b0d-1c55-9d0e-0a4d1e6f7b21",
  "2025-01-01T00:00:00Z",
  "2025-01-01T00:00:00.123456+05:45",
  "2025-02-30T00:00:00Z",
  "2016-12-31T23:59:60Z",
  "2025-01",
  "1999-13",
  "https://app.example/hooks",
  "http://127.0.0.1:1/",
  "http://user:secret@app.example/",
  "ftp://app.example/",
  "order.paid",
  "raw",
  "\u0000",
  "\ud800",
  "😀".repeat(40),
  "x".repeat(129),
  "x".repeat(5000),
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

/** Generates an ordinary or unusual string. */
export const oddString: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ODD_STRINGS) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
);

/** A value nested so deep that a recursive function overflows the stack. */
const nested: fc.Arbitrary<unknown> = fc
  .tuple(fc.constantFrom(3, 199, 201, 2400), fc.boolean())
  .map(([depth, lists]) => deep(depth, lists));

/** Generates any JSON value, and often those that cause bugs. */
export const oddJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddString },
  { weight: 4, arbitrary: fc.constantFrom(...ODD_VALUES) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: nested },
);

/** Returns a value of `levels` levels, without recursion. */
function deep(levels: number, lists: boolean): unknown {
  let value: unknown = "bottom";
  for (let level = 0; level < levels; level++) value = lists ? [value] : { a: value };
  return value;
}
