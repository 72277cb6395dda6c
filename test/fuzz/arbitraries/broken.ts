import fc from "fast-check";
import { oddJson, oddString } from "./odd.ts";

type Change = (value: unknown) => unknown;

interface Spot {
  readonly path: readonly (string | number)[];
}

/** A change at one place of a value. */
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: oddJson.map((odd) => () => odd) },
  { weight: 1, arbitrary: fc.constant(() => undefined) },
  {
    weight: 1,
    arbitrary: fc.tuple(oddString, oddJson).map(
      ([name, odd]) =>
        (value: unknown) =>
          added(value, name, odd),
    ),
  },
  { weight: 1, arbitrary: fc.constant((value: unknown) => (Array.isArray(value) ? [...value, ...value] : [value])) },
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
  return replaced(value, (spots[number % spots.length] as Spot).path, make);
}

/** Returns the places in a value down to a few levels. The contract does not describe deeper ones. */
function spotsOf(value: unknown, path: Spot["path"]): Spot[] {
  const children = typeof value === "object" && value !== null && path.length < 5 ? Object.entries(value) : [];
  const key = (name: string) => (Array.isArray(value) ? Number(name) : name);
  return [{ path }, ...children.slice(0, 20).flatMap(([name, child]) => spotsOf(child, [...path, key(name)]))];
}

function replaced(value: unknown, [key, ...rest]: Spot["path"], make: Change): unknown {
  if (key === undefined) return make(value);
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? replaced(item, rest, make) : item));
  const fields = Object.entries(value as object);
  return Object.fromEntries(fields.map(([name, item]) => [name, name === key ? replaced(item, rest, make) : item]));
}

function added(value: unknown, name: string, odd: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return odd;
  return Object.fromEntries([...Object.entries(value), [name, odd]]);
}
