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

/** What a schema says about the values at one place. The alternatives of a union are one place. */
interface Place {
  /** The path of the place that it is a part of; undefined for the schema itself. */
  readonly parent: string | undefined;
  /** Whether a field must be present; undefined for a place that is not a field, such as the items of an array. */
  readonly required: boolean | undefined;
  /** The types, and the names of models. Empty if every type is allowed. */
  readonly types: readonly string[];
  /** The only values. Empty if the schema does not list them. */
  readonly values: readonly unknown[];
  /** The other keywords that limit the values, for example `maxLength`. */
  readonly limits: Readonly<Record<string, unknown>>;
}

type Places = ReadonlyMap<string, Place>;

/**
 * Returns a function that compares two schemas, place by place. A model that both documents have is not followed, since models
 * are compared on their own.
 *
 * @param before The models of the first document.
 * @param after The models of the second one.
 * @param lists Names that are compared on their own, such as all scopes, so that a new one is one difference.
 */
export function schemaComparison(before: Schemas, after: Schemas, lists: NameLists): CompareSchemas {
  const isShared = (name: string) => name in before && name in after;
  const ignored = new Set(lists.flatMap(([one, other]) => [...missingFrom(one, other), ...missingFrom(other, one)]));
  const isListed = (name: unknown) => ignored.has(name as string);
  return (one, other) => comparePlaces(placesOf(one, before, isShared), placesOf(other, after, isShared), isListed);
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

/** Describes the values of a schema in a few words, for example `WebhookFormat` or `string or null`. */
export function describeSchema(schema: JsonSchema): string {
  return describe(placesOf(schema, {}, () => true).get("") as Place);
}

/** Keywords that do not limit values, or that {@link placesOf} reads. */
const OTHERS: ReadonlySet<string> = new Set([
  ...["$ref", "type", "anyOf", "oneOf", "enum", "const", "properties", "required", "items", "propertyNames"],
  ...["description", "title", "examples"],
]);

function placesOf(schema: JsonSchema, models: Schemas, isShared: (name: string) => boolean): Places {
  const places = new Map<string, Place>();
  const walk = (
    given: JsonSchema,
    path: string,
    at: Pick<Place, "parent" | "required">,
    followed: string[] = [],
  ): void => {
    const name = typeof given["$ref"] === "string" ? nameOfReference(given["$ref"]) : undefined;
    if (name !== undefined && !isShared(name) && !followed.includes(name)) {
      walk(models[name] ?? {}, path, at, [...followed, name]);
      return;
    }
    const alternatives = (given["anyOf"] ?? given["oneOf"] ?? []) as JsonSchema[];
    const isMerged = !overlap(alternatives);
    for (const each of alternatives) walk(isMerged ? each : { type: each["type"] }, path, at, followed);
    const { types = [], values = [], limits } = places.get(path) ?? {};
    const own = ("const" in given ? [given["const"]] : ((given["enum"] ?? []) as unknown[])).map(comparable);
    const isLimit = ([keyword, value]: [string, unknown]) =>
      !OTHERS.has(keyword) && (keyword !== "additionalProperties" || value === false);
    places.set(path, {
      ...at,
      types: [...new Set([...types, ...([name ?? given["type"] ?? []].flat() as string[])])],
      values: [...new Set([...values, ...own])],
      limits: {
        ...limits,
        ...Object.fromEntries(Object.entries(given).filter(isLimit)),
        ...(!isMerged && {
          ["anyOf" in given ? "anyOf" : "oneOf"]: alternatives
            .map((each) => JSON.stringify(each, withoutProse))
            .sort()
            .join(" or "),
        }),
      },
    });
    const required = (given["required"] ?? []) as readonly string[];
    const parts: [step: string, schema: unknown, required?: boolean][] = [
      ...Object.entries(given["properties"] ?? {}).map(([field, inner]): [string, unknown, boolean] => [
        `.${field}`,
        inner,
        required.includes(field),
      ]),
      ["[]", given["items"]],
      ["[*]", given["additionalProperties"]],
      ["{name}", given["propertyNames"]],
    ];
    for (const [step, inner, must] of parts) {
      if (typeof inner === "object") walk(inner as JsonSchema, path + step, { parent: path, required: must }, followed);
    }
  };
  walk(schema, "", { parent: undefined, required: undefined });
  return places;
}

/** Returns whether two alternatives are strings, or of another simple type, so that one place cannot hold what each of them says. */
function overlap(alternatives: readonly JsonSchema[]): boolean {
  const types = alternatives.flatMap(({ type }) => type ?? []).filter((type) => type !== "object" && type !== "array");
  return types.some((type, index) => types.indexOf(type) < index);
}

function withoutProse(key: string, value: unknown): unknown {
  return key === "description" || key === "title" || key === "examples" ? undefined : value;
}

/** Returns a value that `===` compares: objects as JSON. */
function comparable(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

function describe({ types, values }: Place): string {
  return values.length > 0 ? listValues(values) : types.join(" or ") || "any value";
}

/** The number of values of an enum that a message lists. */
const LISTED_VALUES = 5;

function listValues(values: readonly unknown[]): string {
  const listed = values.slice(0, LISTED_VALUES).map((value) => JSON.stringify(value));
  const more = values.length - listed.length;
  return more > 0 ? `${listed.join(", ")} and ${more} more` : listed.join(", ");
}

type IsListed = (name: unknown) => boolean;

function comparePlaces(before: Places, after: Places, isListed: IsListed): SchemaChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((path): SchemaChange[] => {
    const [old, now] = [before.get(path), after.get(path)];
    if (old && now) return compareFacts(old, now, isListed).map((each) => ({ path, ...each }));
    const { parent = "" } = (old ?? now) as Place;
    const [oldParent, newParent] = [before.get(parent), after.get(parent)];
    // A part of what is new, gone or of another type is not a difference of its own.
    const isPart = !oldParent || !newParent || isOtherType(oldParent, newParent);
    if (isPart || isListed(path.slice(parent.length + 1))) return [];
    return [{ path, ...(now ? added(now) : removed(old as Place)) }];
  });
}

type Change = Omit<SchemaChange, "path">;

function added(place: Place): Change {
  if (place.required === undefined) return { effect: "narrower", message: `only ${describe(place)} is allowed` };
  const message = `new ${place.required ? "required" : "optional"} field (${describe(place)})`;
  return { effect: place.required ? "narrower" : "harmless", message };
}

function removed(place: Place): Change {
  if (place.required !== undefined) return { effect: "different", message: "field removed" };
  return { effect: "more values", message: `no longer limited to ${describe(place)}` };
}

function compareFacts(before: Place, after: Place, isListed: IsListed): Change[] {
  const [effect, state] = after.required ? (["narrower", "required"] as const) : (["wider", "optional"] as const);
  const required = before.required === after.required ? [] : [{ effect, message: `now ${state}` }];
  const types = compareTypes(before.types, after.types);
  if (isOtherType(before, after)) return [...required, ...types];
  return [...required, ...types, ...compareValues(before, after, isListed), ...compareLimits(before, after)];
}

/** Returns whether the types differ in more than null. */
function isOtherType(before: Place, after: Place): boolean {
  return !hasSameItems(missingFrom(["null"], before.types), missingFrom(["null"], after.types));
}

function compareTypes(before: readonly string[], after: readonly string[]): Change[] {
  if (hasSameItems(before, after)) return [];
  const [one, other] = [before, after].map((types) => types.join(" or ") || "any value");
  const accepts = (types: readonly string[], others: readonly string[]) =>
    types.length === 0 || (others.length > 0 && missingFrom(types, others).length === 0);
  const effect = accepts(after, before) ? "wider" : accepts(before, after) ? "narrower" : "different";
  return [{ effect, message: `type is ${other} instead of ${one}` }];
}

function compareValues({ values: old }: Place, { values: now }: Place, isListed: IsListed): Change[] {
  const more = missingFrom(old, now).filter((each) => !isListed(each));
  const less = missingFrom(now, old).filter((each) => !isListed(each));
  if (old.length === 0 && more.length > 0)
    return [{ effect: "narrower", message: `only ${listValues(now)} is allowed` }];
  if (now.length === 0 && less.length > 0)
    return [{ effect: "more values", message: `no longer limited to ${listValues(old)}` }];
  return [
    ...(more.length > 0 ? [{ effect: "more values", message: `new value ${listValues(more)}` } as const] : []),
    ...(less.length > 0
      ? [{ effect: "narrower", message: `no longer has the value ${listValues(less)}` } as const]
      : []),
  ];
}

/** Compares the other keywords. One with another value counts as breaking, even if it is a looser limit. */
function compareLimits({ limits: old }: Place, { limits: now }: Place): Change[] {
  const text = (limits: Place["limits"], keyword: string) =>
    typeof limits[keyword] === "string" ? limits[keyword] : JSON.stringify(limits[keyword]);
  return Object.keys({ ...old, ...now }).flatMap((keyword): Change[] => {
    const [was, is] = [text(old, keyword), text(now, keyword)];
    if (was === is) return [];
    if (was === undefined) return [{ effect: "narrower", message: `${keyword} is ${is}` }];
    if (is === undefined) return [{ effect: "more values", message: `${keyword} was removed; it was ${was}` }];
    return [{ effect: "different", message: `${keyword} is ${is}; it was ${was}` }];
  });
}
