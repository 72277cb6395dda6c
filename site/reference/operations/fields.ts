import type { JsonSchema, OpenApiDocument, OperationObject } from "../../../src/openapi/document.ts";
import { orList } from "../../markdown.ts";

/** A field of a JSON value. */
export interface Field {
  /** The path in the value: `events[].name`. */
  readonly path: string;
  readonly type: string;
  /** Whether the field is required, or the names of the alternatives that require it. */
  readonly required: boolean | readonly string[];
  readonly description: string;
}

type Document = Pick<OpenApiDocument, "components">;
type Properties = Readonly<Record<string, JsonSchema>>;

const LONGEST_LIST = 6;

/** Lists a schema's fields, each followed by the fields inside it. */
export function fieldsOf(schema: JsonSchema, document: Document, prefix = ""): readonly Field[] {
  const variants = objectsIn(schema, document);
  const names = [...new Set(variants.flatMap(({ properties }) => Object.keys(properties)))];
  const choice = choiceIn(variants);
  return names.flatMap((name) => {
    const schemas = variants.map(({ properties }) => properties[name]).filter((each) => each !== undefined);
    const described = schemas.filter((each) => !("not" in each));
    const [first] = described;
    if (first === undefined) return [];
    const field: Field = {
      path: prefix + name,
      type: orList([...new Set(described.flatMap((each) => typesOf(each, document)))]),
      required: choice.includes(name) ? choice : variants.every(({ required }) => required.includes(name)),
      description: String(first["description"] ?? resolve(first, document)["description"] ?? ""),
    };
    const inside = described.flatMap((each) => inner(each, document, prefix + name));
    return [field, ...new Map(inside.map((each) => [each.path, each])).values()];
  });
}

function inner(schema: JsonSchema, document: Document, path: string): readonly Field[] {
  const { items } = resolve(schema, document);
  return items ? fieldsOf(items as JsonSchema, document, `${path}[].`) : fieldsOf(schema, document, `${path}.`);
}

interface ObjectSchema {
  readonly properties: Properties;
  readonly required: readonly string[];
}

/** Returns the schemas of the objects that a value may be. */
function objectsIn(schema: JsonSchema, document: Document): readonly ObjectSchema[] {
  const { anyOf, oneOf, properties, required = [] } = resolve(schema, document);
  const variants = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  if (variants) return variants.flatMap((each) => objectsIn(each, document));
  return properties ? [{ properties: properties as Properties, required: required as readonly string[] }] : [];
}

/** Returns the fields that some variants require and the others do not allow. */
function choiceIn(variants: readonly ObjectSchema[]): readonly string[] {
  return [...new Set(variants.flatMap(({ required }) => required))].filter((name) => {
    const others = variants.filter(({ required }) => !required.includes(name));
    return others.length > 0 && others.every(({ properties }) => "not" in (properties[name] ?? { not: {} }));
  });
}

/** Describes the types that a value may have in words: `array of strings`, `"raw"`, `null`. */
function typesOf(schema: JsonSchema, document: Document): readonly string[] {
  const full = resolve(schema, document);
  const { anyOf, oneOf, items, type, format } = full;
  const values = ("const" in full ? [full["const"]] : full["enum"]) as readonly unknown[] | undefined;
  if (values && values.length > LONGEST_LIST) return [`\`${nameOf(schema)}\``];
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``);
  const choice = choiceIn(objectsIn(full, document));
  if (choice.length > 0) return [`object with ${orList(choice.map((name) => `\`${name}\``))}`];
  const variants = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  if (variants) return [...new Set(variants.flatMap((each) => typesOf(each, document)))];
  if (Array.isArray(type)) return type.map(String);
  if (type === "array") return [`array of ${orList(typesOf(items as JsonSchema, document).map(plural))}`];
  if (type === "string" && format === "date-time") return ["string, RFC 3339 time"];
  if (type === "string" && format === "uuid") return ["string, UUID"];
  return [type === undefined ? "any JSON value" : String(type)];
}

function plural(type: string): string {
  return type.replace(/^(?:object|string|integer|number|boolean)(?=$| with )/, "$&s");
}

/** Returns a schema, or the one that it refers to. */
export function resolve(schema: JsonSchema, { components }: Document): JsonSchema {
  return typeof schema["$ref"] === "string" ? (components.schemas[nameOf(schema)] ?? {}) : schema;
}

/** Returns the name of the model that a schema refers to. */
function nameOf(schema: JsonSchema): string {
  return String(schema["$ref"] ?? "").replace(/^.*\//, "");
}

/** Returns the parameters in one location. */
export function parametersIn({ parameters }: OperationObject, location: "path" | "query") {
  return parameters.flatMap((each) => ("name" in each && each.in === location ? [each] : []));
}

/** Returns a response body's schema. */
export function bodyOf({ responses }: OperationObject, status: number): JsonSchema {
  const response = responses[status];
  return response && "content" in response ? (response.content?.["application/json"].schema ?? {}) : {};
}

/** Returns the names of the models that a schema refers to: one, or the alternatives of a union. */
export function modelsIn(schema: JsonSchema): readonly string[] {
  if (schema["$ref"] !== undefined) return [nameOf(schema)];
  return ((schema["anyOf"] ?? schema["oneOf"] ?? []) as readonly JsonSchema[]).flatMap(modelsIn);
}
