import { globSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { documentOf } from "../../scripts/generate/version-source.ts";

/** A shape that interfaces and schemas have in common: each field with its shape; optional ones with a question mark. */
type Shape = string | { readonly [field: string]: Shape };

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Record<string, JsonSchema>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

const files = globSync("versions/20*/*.ts");
const program = ts.createProgram(files, {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
});
const checker = program.getTypeChecker();

/** Returns the interfaces of a version with their shapes. */
function interfacesOf(version: string): Map<string, Shape> {
  const sources = files.filter((file) => file.includes(version)).map((file) => program.getSourceFile(file));
  const declared = sources.flatMap((source) => source?.statements.filter(ts.isInterfaceDeclaration) ?? []);
  return new Map(declared.map((each) => [each.name.text, shapeOfType(checker.getTypeAtLocation(each))]));
}

function shapeOfType(type: ts.Type): Shape {
  const members = type.isUnion() ? type.types : [type];
  const element = members.map((member) => checker.getIndexTypeOfType(member, ts.IndexKind.Number)).find(Boolean);
  const listed = members.find((member) => checker.isArrayType(member));
  if (listed && element) return { "[]": shapeOfType(element) };
  const objects = members.filter(isRecord);
  if (objects.length !== 1) return "value";
  const fields = (objects[0] as ts.Type).getProperties().map((field) => {
    const optional = field.flags & ts.SymbolFlags.Optional ? "?" : "";
    return [field.name + optional, shapeOfType(checker.getTypeOfSymbol(field))] as const;
  });
  return Object.fromEntries(fields);
}

/** Whether a type has fields of its own in JSON; a `Date` is written as a string. */
function isRecord(type: ts.Type): boolean {
  if (!(type.flags & ts.TypeFlags.Object) || type.symbol?.name === "Date") return false;
  return type.getProperties().length > 0;
}

function shapeOfSchema(schema: JsonSchema, all: Record<string, JsonSchema>): Shape {
  if (schema.$ref) return shapeOfSchema(all[schema.$ref.split("/").at(-1) as string] as JsonSchema, all);
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const shaped = branches.map((branch) => shapeOfSchema(branch, all)).filter((shape) => shape !== "value");
  if (branches.length > 0) return shaped.length === 1 ? (shaped[0] as Shape) : "value";
  if (schema.items) return { "[]": shapeOfSchema(schema.items, all) };
  if (!schema.properties) return closed(schema) ? {} : "value";
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    return [name + (schema.required?.includes(name) ? "" : "?"), shapeOfSchema(field, all)] as const;
  });
  return Object.fromEntries(fields);
}

/** A record over the scopes names its fields by `propertyNames`; its interface is a mapped type, and both are values. */
function closed(schema: JsonSchema): boolean {
  return schema.type === "object" && schema.additionalProperties === undefined;
}

describe.each(versionNames())("the models of %s", async (version) => {
  const interfaces = interfacesOf(version);
  const schemas = (await documentOf(version)).components.schemas as Record<string, JsonSchema>;
  const compared = [...interfaces.keys()].filter((name) => name in schemas && schemas[name]?.properties);

  it.each(compared)("%s: the interface and the schema have the same fields, required and optional", (name) => {
    const withoutLabels = (shape: Shape | undefined) =>
      JSON.parse(JSON.stringify(shape, (field, value) => (field === "scope_display_names" ? "value" : value)));
    expect(withoutLabels(interfaces.get(name))).toEqual(
      withoutLabels(shapeOfSchema(schemas[name] as JsonSchema, schemas)),
    );
  });

  it("are all compared", () => {
    expect(compared.length).toBeGreaterThan(12);
    expect(compared).toEqual(expect.arrayContaining(["WebhookEndpoint", "EventCreateCustomer", "IngestResponse"]));
  });
});
