import type { JsonSchema } from "../../openapi/index.ts";
import { listValues, typesOf, valuesOf } from "./describe-schema.ts";
import { changed, hasSameItems, missingFrom, type NameLists, type SchemaChange } from "./schema-change.ts";

/** Keywords of limits, with their name for messages; and whether a larger number allows more. */
const LIMITS = {
  minimum: ["minimum", false],
  exclusiveMinimum: ["exclusive minimum", false],
  minLength: ["minimum length", false],
  minItems: ["minimum number of items", false],
  minProperties: ["minimum number of fields", false],
  maximum: ["maximum", true],
  exclusiveMaximum: ["exclusive maximum", true],
  maxLength: ["maximum length", true],
  maxItems: ["maximum number of items", true],
  maxProperties: ["maximum number of fields", true],
} as const;

/** The length of the longest pattern that a message contains. */
const LONGEST_PATTERN = 60;

/** Keywords that other functions compare, or that promise nothing. */
const HANDLED: ReadonlySet<string> = new Set([
  ...["$ref", "type", "anyOf", "oneOf", "enum", "const", "properties", "required", "items"],
  ...[
    "additionalProperties",
    "propertyNames",
    "format",
    "pattern",
    "description",
    "title",
    "examples",
    ...Object.keys(LIMITS),
  ],
]);

/** Compares the types of two schemas that are not unions. */
export function compareTypes(before: JsonSchema, after: JsonSchema): SchemaChange[] {
  const [old, now] = [typesOf(before), typesOf(after)];
  if (hasSameItems(old, now)) return [];
  const message = `type is ${nameTypes(now)} instead of ${nameTypes(old)}`;
  if (accepts(now, old)) return [changed("wider", message)];
  return [changed(accepts(old, now) ? "narrower" : "different", message)];
}

/** Returns whether every value of some types has one of the other types. */
function accepts(types: readonly string[], others: readonly string[]): boolean {
  if (types.length === 0) return true;
  const missing = missingFrom(types, others).filter((type) => type !== "integer" || !types.includes("number"));
  return others.length > 0 && missing.length === 0;
}

function nameTypes(types: readonly string[]): string {
  return types.join(" or ") || "any value";
}

/** Compares the values that two schemas list. Skips a list that the documents describe separately. */
export function compareValues(before: JsonSchema, after: JsonSchema, lists: NameLists): SchemaChange[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (old === undefined && now === undefined) return [];
  if (old === undefined) return [changed("narrower", `only ${listValues(now ?? [])} is allowed`)];
  if (now === undefined) return [changed("more values", `no longer limited to ${listValues(old)}`)];
  if (lists.some(([one, other]) => hasSameItems(one, old) && hasSameItems(other, now))) return [];
  const [added, removed] = [missingFrom(old, now), missingFrom(now, old)];
  return [
    ...(added.length > 0 ? [changed("more values", `new value ${listValues(added)}`, added)] : []),
    ...(removed.length > 0 ? [changed("narrower", `no longer has the value ${listValues(removed)}`, removed)] : []),
  ];
}

/** Compares the limits of two schemas. */
export function compareLimits(before: JsonSchema, after: JsonSchema): SchemaChange[] {
  return Object.entries(LIMITS).flatMap(([keyword, [name, isUpper]]) => {
    const [old, now] = [before[keyword], after[keyword]] as (number | undefined)[];
    if (old === now) return [];
    const effect = rank(now, isUpper) > rank(old, isUpper) ? "more values" : "narrower";
    const earlier = old === undefined ? "" : `; it was ${old}`;
    return [changed(effect, `${name} ${now === undefined ? "was removed" : `is ${now}`}${earlier}`)];
  });
}

/** Returns a number that is larger if a limit allows more. */
function rank(limit: number | undefined, isUpper: boolean): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  return isUpper ? limit : -limit;
}

/** Compares the formats and patterns of two schemas. */
export function compareFormats(before: JsonSchema, after: JsonSchema): SchemaChange[] {
  if (before["format"] === after["format"] && before["pattern"] === after["pattern"]) return [];
  const [old, now] = [formOf(before), formOf(after)];
  if (old === undefined) return [changed("narrower", `must match ${now}`)];
  if (now === undefined) return [changed("more values", `no longer has to match ${old}`)];
  return [
    changed("different", old === now ? `matches another pattern for ${now}` : `matches ${now} instead of ${old}`),
  ];
}

/** Names the form of a string: a short pattern, or the name of its format. */
function formOf({ format, pattern }: JsonSchema): string | undefined {
  if (format !== undefined) return `the format ${format}`;
  if (pattern === undefined) return undefined;
  return String(pattern).length <= LONGEST_PATTERN ? `the pattern ${pattern}` : "a long pattern";
}

/** Compares every keyword that no other function compares. */
export function compareOtherKeywords(before: JsonSchema, after: JsonSchema): SchemaChange[] {
  const keywords = new Set([...Object.keys(before), ...Object.keys(after)]);
  const others = [...keywords].filter((keyword) => !HANDLED.has(keyword));
  const differing = others.filter((keyword) => JSON.stringify(before[keyword]) !== JSON.stringify(after[keyword]));
  return differing.map((keyword) => changed("different", `${keyword} of the schema differs`));
}
