import type { JsonSchema } from "../../openapi/index.ts";
import { describeSchema } from "./describe-schema.ts";
import {
  below,
  type CompareSchemas,
  changed,
  hasSameItems,
  missingFrom,
  type NameLists,
  type SchemaChange,
} from "./schema-change.ts";

interface Fields {
  readonly names: readonly string[];
  readonly required: readonly string[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** Compares the fields of two object schemas. Skips added and removed names of a list that the documents describe separately. */
export function compareFields(
  before: JsonSchema,
  after: JsonSchema,
  compare: CompareSchemas,
  lists: NameLists,
): SchemaChange[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const isList = lists.some(([one, other]) => hasSameItems(one, old.names) && hasSameItems(other, now.names));
  const kept = old.names.filter((name) => name in now.schemas);
  return [
    ...(isList ? [] : missingFrom(old.names, now.names).map((name) => addedField(name, now))),
    ...(isList ? [] : missingFrom(now.names, old.names).map(removedField)),
    ...kept.flatMap((name) => [...compareRequired(name, old, now), ...compareField(name, old, now, compare)]),
  ];
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema): Fields {
  const schemas = properties as Fields["schemas"];
  return { schemas, names: Object.keys(schemas), required: required as readonly string[] };
}

function addedField(name: string, { required, schemas }: Fields): SchemaChange {
  const isRequired = required.includes(name);
  const message = `new ${isRequired ? "required" : "optional"} field (${describeSchema(schemas[name] ?? {})})`;
  return { path: `.${name}`, change: "added", effect: isRequired ? "narrower" : "harmless", message };
}

function removedField(name: string): SchemaChange {
  return { path: `.${name}`, change: "removed", effect: "different", message: "field removed" };
}

function compareRequired(name: string, before: Fields, after: Fields): SchemaChange[] {
  const [old, now] = [before.required.includes(name), after.required.includes(name)];
  if (old === now) return [];
  return below(`.${name}`, [now ? changed("narrower", "now required") : changed("wider", "now optional")]);
}

function compareField(name: string, before: Fields, after: Fields, compare: CompareSchemas): SchemaChange[] {
  return below(`.${name}`, compare(before.schemas[name] ?? {}, after.schemas[name] ?? {}));
}

/** Compares what two object schemas allow beside their named fields. */
export function compareOtherFields(before: JsonSchema, after: JsonSchema, compare: CompareSchemas): SchemaChange[] {
  const [old, now] = [before["additionalProperties"], after["additionalProperties"]] as (JsonSchema | boolean)[];
  const [isOpen, staysOpen] = [old !== false, now !== false];
  const names = below("{name}", compare(namesOf(before), namesOf(after)));
  if (isOpen && staysOpen) return [...names, ...below("[*]", compare(schemaOf(old), schemaOf(now)))];
  if (isOpen === staysOpen) return names;
  return [
    ...names,
    changed(staysOpen ? "more values" : "narrower", `unknown fields are ${staysOpen ? "now" : "no longer"} allowed`),
  ];
}

function namesOf({ propertyNames = {} }: JsonSchema): JsonSchema {
  return propertyNames as JsonSchema;
}

function schemaOf(value: JsonSchema | boolean | undefined): JsonSchema {
  return typeof value === "object" ? value : {};
}
