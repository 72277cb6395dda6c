import { globSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { documentOf } from "../../scripts/generate/version-source.ts";

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
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

/** Returns the names of the fields of each interface of a version; optional ones with a question mark. */
function interfacesOf(version: string): Map<string, readonly string[]> {
  const sources = files.filter((file) => file.includes(version)).map((file) => program.getSourceFile(file));
  const declared = sources.flatMap((source) => source?.statements.filter(ts.isInterfaceDeclaration) ?? []);
  const nameOf = ({ name, flags }: ts.Symbol) => name + (flags & ts.SymbolFlags.Optional ? "?" : "");
  const fieldsOf = (each: ts.Node) => checker.getTypeAtLocation(each).getProperties().map(nameOf).sort();
  return new Map(declared.map((each) => [each.name.text, fieldsOf(each)]));
}

// The compiler compares the types of the fields, but not whether a schema has other or more required ones.
describe.each(versionNames())("the models of %s", async (version) => {
  const interfaces = interfacesOf(version);
  const schemas = Object.entries((await documentOf(version)).components.schemas as Record<string, ObjectSchema>);
  const compared = schemas.filter(([name, { properties }]) => properties && interfaces.has(name));

  it.each(compared)("%s: the interface and the schema have the same fields, required and optional", (name, schema) => {
    const { properties = {}, required = [] } = schema;
    const fields = Object.keys(properties).map((field) => field + (required.includes(field) ? "" : "?"));
    expect(interfaces.get(name)).toEqual(fields.sort());
  });

  it("are all compared", () => {
    expect(compared.length).toBeGreaterThan(12);
    const names = ["WebhookEndpoint", "EventCreateCustomer", "IngestResponse"];
    expect(compared.map(([name]) => name)).toEqual(expect.arrayContaining(names));
  });
});
