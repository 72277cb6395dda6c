import type { JsonSchema } from "../../openapi/index.ts";

/**
 * The effect of a change on the values that a schema accepts: more of them (`wider`), more in a place where programs expect
 * it, such as an enum (`more values`), fewer (`narrower`), or others (`different`).
 */
export type Effect = "wider" | "more values" | "narrower" | "different" | "harmless";

/** One difference between two schemas. */
export interface SchemaChange {
  /** The path from the schema to what differs, for example `.pagination.max_page` or `.items[].name`. */
  readonly path: string;
  readonly change: "added" | "removed" | "changed";
  readonly effect: Effect;
  /** Says what changed, without the path. */
  readonly message: string;
  /** The strings that an enum gained or lost. */
  readonly values?: readonly string[];
}

/** Compares the schemas at one place of two documents. */
export type CompareSchemas = (before: JsonSchema, after: JsonSchema) => SchemaChange[];

/** The lists of names that both documents describe separately, such as all scopes: before and after. */
export type NameLists = readonly (readonly [before: readonly string[], after: readonly string[]])[];

/** Returns a change of the schema itself. */
export function changed(effect: Effect, message: string, values: readonly unknown[] = []): SchemaChange {
  const strings = values.filter((value) => typeof value === "string");
  return { path: "", change: "changed", effect, message, ...(strings.length > 0 && { values: strings }) };
}

/** Returns changes below a field, an item or another part of a schema. */
export function below(path: string, changes: readonly SchemaChange[]): SchemaChange[] {
  return changes.map((each) => ({ ...each, path: path + each.path }));
}

/** Returns the items of a list that another does not have. */
export function missingFrom<Item>(list: readonly Item[], items: readonly Item[]): Item[] {
  const known = new Set(list);
  return items.filter((item) => !known.has(item));
}

/** Returns whether two lists have the same items, in any order. */
export function hasSameItems<Item>(one: readonly Item[], other: readonly Item[]): boolean {
  return missingFrom(one, other).length === 0 && missingFrom(other, one).length === 0;
}
