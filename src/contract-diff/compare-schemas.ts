import type { JsonSchema } from "../openapi/index.ts";

/**
 * The effect of a change on the values that a schema accepts: more of them (`wider`), more in a place where programs expect
 * it, such as an enum (`more values`), fewer (`narrower`), or others (`different`).
 */
export type Effect = "wider" | "more values" | "narrower" | "different" | "harmless";

/** One difference between two schemas. */
export interface SchemaChange {
  /** The path from the schema to what differs, for example `.pagination.max_page` or `.items[].name`. */
  readonly path: string;
  readonly effect: Effect;
  /** Says what changed, without the path. */
  readonly message: string;
}

/** Compares the schemas at one place of two documents. */
export type CompareSchemas = (before: JsonSchema, after: JsonSchema) => SchemaChange[];

type Schemas = Readonly<Record<string, JsonSchema>>;
type NameLists = readonly (readonly [before: readonly string[], after: readonly string[]])[];

/**
 * Returns a function that compares two schemas. A reference to the same model on both sides is equal, since models are
 * compared on their own; otherwise, references are followed, so that only differences in the accepted values count.
 *
 * @param before The models of the first document.
 * @param after The models of the second one.
 * @param lists Names that are compared on their own, such as all scopes, so that a new one is one difference.
 */
export function schemaComparison(before: Schemas, after: Schemas, lists: NameLists): CompareSchemas {
  const within =
    (followed: ReadonlySet<string>): CompareSchemas =>
    (one, other) => {
      if (JSON.stringify(one) === JSON.stringify(other)) return [];
      const [old, now] = [one["$ref"], other["$ref"]] as (string | undefined)[];
      if (old === undefined && now === undefined) return compareResolved(one, other, within(followed), lists);
      const pair = `${old} ${now}`;
      // A model can contain itself.
      if (old === now || followed.has(pair)) return [];
      return within(new Set([...followed, pair]))(resolve(one, before), resolve(other, after));
    };
  return within(new Set());
}

/** Returns a change of the schema itself. */
function changed(effect: Effect, message: string): SchemaChange {
  return { path: "", effect, message };
}

/** Returns changes below a field, an item or another part of a schema. */
function below(path: string, changes: readonly SchemaChange[]): SchemaChange[] {
  return changes.map((each) => ({ ...each, path: path + each.path }));
}

/** Returns the items of a list that another does not have. */
export function missingFrom<Item>(list: readonly Item[], items: readonly Item[]): Item[] {
  return items.filter((item) => !list.includes(item));
}

/** Returns whether two lists have the same items, in any order. */
export function hasSameItems<Item>(one: readonly Item[], other: readonly Item[]): boolean {
  return missingFrom(one, other).length === 0 && missingFrom(other, one).length === 0;
}

/** Returns the name of the model that a reference leads to. */
export function nameOfReference(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

function resolve(schema: JsonSchema, models: Schemas): JsonSchema {
  const { $ref } = schema;
  return typeof $ref === "string" ? (models[nameOfReference($ref)] ?? {}) : schema;
}

/** Describes the type of a schema in a few words, for example `array of WebhookFormat` or `string or null`. */
export function describeSchema(schema: JsonSchema): string {
  const { $ref, type, items } = schema;
  const alternatives = alternativesOf(schema);
  const values = valuesOf(schema);
  if (typeof $ref === "string") return nameOfReference($ref);
  if (alternatives !== undefined) return alternatives.map(describeSchema).join(" or ");
  if (values !== undefined) return listValues(values);
  if (type === "array") return `array of ${describeSchema((items ?? {}) as JsonSchema)}`;
  return nameTypes(typesOf(schema));
}

function alternativesOf({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] | undefined {
  return (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
}

function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  return "const" in schema ? [schema["const"]] : (schema["enum"] as readonly unknown[] | undefined);
}

/** Returns the types of a schema. Empty if it allows every type. */
function typesOf({ type }: JsonSchema): readonly string[] {
  return type === undefined ? [] : ([type].flat() as string[]);
}

function nameTypes(types: readonly string[]): string {
  return types.join(" or ") || "any value";
}

/** The number of values of an enum that a message lists. */
const LISTED_VALUES = 5;

function listValues(values: readonly unknown[]): string {
  const listed = values.slice(0, LISTED_VALUES).map((value) => JSON.stringify(value));
  const more = values.length - listed.length;
  return more > 0 ? `${listed.join(", ")} and ${more} more` : listed.join(", ");
}

function compareResolved(
  before: JsonSchema,
  after: JsonSchema,
  compare: CompareSchemas,
  lists: NameLists,
): SchemaChange[] {
  const [old, now] = [alternativesOf(before), alternativesOf(after)];
  if (old || now) return compareAlternatives(old ?? [before], now ?? [after], compare);
  const types = compareTypes(typesOf(before), typesOf(after));
  const [one, other] = [before, after].map((each) => missingFrom(["null"], typesOf(each)).join());
  if (one !== other) return types;
  return [
    ...types,
    ...compareValues(valuesOf(before), valuesOf(after), lists),
    ...compareLimits(before, after),
    ...compareFormats(before, after),
    ...compareFields(before, after, compare, lists),
    ...compareOtherFields(before, after, compare),
    ...below("[]", compare((before["items"] ?? {}) as JsonSchema, (after["items"] ?? {}) as JsonSchema)),
    ...compareOtherKeywords(before, after),
  ];
}

/** Compares two lists of alternatives. One that is left over on each side counts as the same alternative, changed. */
function compareAlternatives(
  before: readonly JsonSchema[],
  after: readonly JsonSchema[],
  compare: CompareSchemas,
): SchemaChange[] {
  const isSame = (one: JsonSchema, other: JsonSchema) => compare(one, other).length === 0;
  const removed = before.filter((one) => !after.some((other) => isSame(one, other)));
  const added = after.filter((other) => !before.some((one) => isSame(one, other)));
  const [olds, nows] = [removed, added].map((list) => list.filter(({ $ref, type }) => !$ref && type !== "null"));
  const pair = olds?.length === 1 && nows?.length === 1 ? [...olds, ...nows] : [];
  const [old, now] = pair;
  return [
    ...(old && now ? compare(old, now) : []),
    ...missingFrom(pair, added).map((each) => changed("wider", `new alternative ${describeSchema(each)}`)),
    ...missingFrom(pair, removed).map((each) =>
      changed("narrower", `no longer has the alternative ${describeSchema(each)}`),
    ),
  ];
}

function compareTypes(before: readonly string[], after: readonly string[]): SchemaChange[] {
  if (hasSameItems(before, after)) return [];
  const message = `type is ${nameTypes(after)} instead of ${nameTypes(before)}`;
  if (accepts(after, before)) return [changed("wider", message)];
  return [changed(accepts(before, after) ? "narrower" : "different", message)];
}

/** Returns whether every value of some types has one of the other types. */
function accepts(types: readonly string[], others: readonly string[]): boolean {
  if (types.length === 0) return true;
  const missing = missingFrom(types, others).filter((type) => type !== "integer" || !types.includes("number"));
  return others.length > 0 && missing.length === 0;
}

function compareValues(
  old: readonly unknown[] | undefined,
  now: readonly unknown[] | undefined,
  lists: NameLists,
): SchemaChange[] {
  if (old === undefined && now === undefined) return [];
  if (old === undefined) return [changed("narrower", `only ${listValues(now ?? [])} is allowed`)];
  if (now === undefined) return [changed("more values", `no longer limited to ${listValues(old)}`)];
  if (lists.some(([one, other]) => hasSameItems<unknown>(one, old) && hasSameItems<unknown>(other, now))) return [];
  const [added, removed] = [missingFrom(old, now), missingFrom(now, old)];
  return [
    ...(added.length > 0 ? [changed("more values", `new value ${listValues(added)}`)] : []),
    ...(removed.length > 0 ? [changed("narrower", `no longer has the value ${listValues(removed)}`)] : []),
  ];
}

/** Matches the keywords of lower limits, then of upper limits. */
const LIMIT = /^(min\w+|exclusiveMinimum)$|^(max\w+|exclusiveMaximum)$/;

function compareLimits(before: JsonSchema, after: JsonSchema): SchemaChange[] {
  const keywords = Object.keys({ ...before, ...after }).filter((keyword) => LIMIT.test(keyword));
  return keywords.flatMap((keyword) => {
    const [old, now] = [before[keyword], after[keyword]] as (number | undefined)[];
    if (old === now) return [];
    const message = `${keyword} ${now === undefined ? "was removed" : `is ${now}`}`;
    const isWider = now === undefined || (old !== undefined && now > old === /max/i.test(keyword));
    return [changed(isWider ? "more values" : "narrower", message + (old === undefined ? "" : `; it was ${old}`))];
  });
}

function compareFormats(before: JsonSchema, after: JsonSchema): SchemaChange[] {
  if (before["format"] === after["format"] && before["pattern"] === after["pattern"]) return [];
  const [old, now] = [before, after].map(({ format, pattern }) => format ?? pattern);
  if (old === undefined) return [changed("narrower", `must match ${now}`)];
  if (now === undefined) return [changed("more values", `no longer has to match ${old}`)];
  return [
    changed("different", old === now ? `matches another pattern for ${now}` : `matches ${now} instead of ${old}`),
  ];
}

function compareFields(
  before: JsonSchema,
  after: JsonSchema,
  compare: CompareSchemas,
  lists: NameLists,
): SchemaChange[] {
  const [old, now] = [(before["properties"] ?? {}) as Schemas, (after["properties"] ?? {}) as Schemas];
  const [oldNames, names] = [Object.keys(old), Object.keys(now)];
  const isRequired = ({ required = [] }: JsonSchema, name: string) => (required as readonly string[]).includes(name);
  const isList = lists.some(([one, other]) => hasSameItems(one, oldNames) && hasSameItems(other, names));
  const added = missingFrom(oldNames, names).map((name): SchemaChange => {
    const must = isRequired(after, name);
    const message = `new ${must ? "required" : "optional"} field (${describeSchema(now[name] ?? {})})`;
    return { path: `.${name}`, effect: must ? "narrower" : "harmless", message };
  });
  const removed = missingFrom(names, oldNames).map((name): SchemaChange => {
    return { path: `.${name}`, effect: "different", message: "field removed" };
  });
  const kept = oldNames.filter((name) => name in now);
  return [
    ...(isList ? [] : [...added, ...removed]),
    ...kept.flatMap((name) => {
      const must = isRequired(after, name);
      const required = must ? changed("narrower", "now required") : changed("wider", "now optional");
      const isOther = must !== isRequired(before, name);
      return below(`.${name}`, [...(isOther ? [required] : []), ...compare(old[name] ?? {}, now[name] ?? {})]);
    }),
  ];
}

/** Compares what two object schemas allow beside their named fields. */
function compareOtherFields(before: JsonSchema, after: JsonSchema, compare: CompareSchemas): SchemaChange[] {
  const [old, now] = [before["additionalProperties"], after["additionalProperties"]];
  const [isOpen, staysOpen] = [old !== false, now !== false];
  const schema = (value: unknown) => (typeof value === "object" ? value : {}) as JsonSchema;
  const names = below("{name}", compare(schema(before["propertyNames"]), schema(after["propertyNames"])));
  if (isOpen && staysOpen) return [...names, ...below("[*]", compare(schema(old), schema(now)))];
  if (isOpen === staysOpen) return names;
  const message = `unknown fields are ${staysOpen ? "now" : "no longer"} allowed`;
  return [...names, changed(staysOpen ? "more values" : "narrower", message)];
}

/** Keywords that other functions compare, or that promise nothing. */
const HANDLED: ReadonlySet<string> = new Set([
  ...["$ref", "type", "anyOf", "oneOf", "enum", "const", "properties", "required", "items", "additionalProperties"],
  ...["propertyNames", "format", "pattern", "description", "title", "examples"],
]);

function compareOtherKeywords(before: JsonSchema, after: JsonSchema): SchemaChange[] {
  return Object.keys({ ...before, ...after })
    .filter((keyword) => !HANDLED.has(keyword) && !LIMIT.test(keyword))
    .filter((keyword) => JSON.stringify(before[keyword]) !== JSON.stringify(after[keyword]))
    .map((keyword) => changed("different", `${keyword} of the schema differs`));
}
