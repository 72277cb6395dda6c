import { globSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { nextSample, schemasOf } from "../../examples/next-sample/contract.ts";
import type { Contract, Operation, Schema } from "../../src/contract/index.ts";
import type { OpenApiDocument } from "../../src/openapi/document.ts";
import type { Docs, ModelDocs } from "../../src/openapi/schemas.ts";
import { toOpenApi } from "../../src/openapi/to-openapi.ts";

const versions = fileURLToPath(new URL("../../versions/", import.meta.url));

/** The parts of a version that its documents are generated from. */
export interface VersionSource {
  readonly contract: Contract;
  /** The schemas of its models, by the model's name. */
  readonly models: Readonly<Record<string, Schema>>;
}

/** Loads the contract and the models of a version. */
export async function loadVersion(version: string): Promise<VersionSource> {
  const { contract } = (await load(`${version}/contract.ts`)) as { contract: Contract };
  const files = globSync(`${version}/*.ts`, { cwd: versions }).sort();
  const modules = await Promise.all(files.map(load));
  const schemas = modules.flatMap((module) => Object.entries(module).filter(isSchemaEntry));
  const models = schemas.map(([name, schema]) => [name.replace(/Schema$/, ""), schema] as const);
  models.sort(([a], [b]) => (a < b ? -1 : 1));
  return { contract, models: Object.fromEntries(models) };
}

/** Returns the OpenAPI document of a version, with the descriptions of its models. */
export async function documentOf(version: string): Promise<OpenApiDocument> {
  const { contract, models } = await loadVersion(version);
  return toOpenApi(contract, { models, docs: modelDocs(versions + version) });
}

/** Returns the OpenAPI document for the example of the version after Next, with Next's model names. */
export async function nextSampleDocument(released: string): Promise<OpenApiDocument> {
  const { contract, models } = await loadVersion(released);
  const sample = nextSample(contract);
  const [before, after] = [contract, sample].map(({ operations }) => {
    const { batch, event, variants } = schemasOf(operations.find(({ id }) => id === "events:ingest") as Operation);
    return [batch, event, ...variants] as Schema[];
  }) as [Schema[], Schema[]];
  const named = Object.entries(models).map(
    ([name, schema]) => [name, after[before.indexOf(schema)] ?? schema] as const,
  );
  return toOpenApi(sample, { models: Object.fromEntries(named) });
}

function load(file: string): Promise<Record<string, unknown>> {
  return import(pathToFileURL(versions + file).href);
}

function isSchemaEntry(entry: [string, unknown]): entry is [string, Schema] {
  return typeof entry[1] === "object" && entry[1] !== null && "_zod" in entry[1];
}

/** Returns the descriptions of the models of a version from the doc comments of their interfaces. */
function modelDocs(folder: string): Docs {
  const files = globSync("*.ts", { cwd: folder }).sort();
  const declarations = files.flatMap((file) => declarationsIn(`${folder}/${file}`));
  const interfaces = new Map(
    declarations.filter(ts.isInterfaceDeclaration).map((declaration) => [declaration.name.text, declaration]),
  );
  return Object.fromEntries(
    declarations.map((declaration) => [declaration.name.text, docsOf(declaration, interfaces)]),
  );
}

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;
type Interfaces = ReadonlyMap<string, ts.InterfaceDeclaration>;

function declarationsIn(file: string): Declaration[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true);
  return source.statements.filter((each) => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each));
}

function docsOf(declaration: Declaration, interfaces: Interfaces): ModelDocs {
  const description = commentOf(declaration);
  const fields = ts.isInterfaceDeclaration(declaration) ? fieldsOf(declaration, interfaces) : {};
  return { ...(description === undefined ? {} : { description }), fields };
}

/** Returns the descriptions of the fields of an interface, including inherited ones. */
function fieldsOf(declaration: ts.InterfaceDeclaration, interfaces: Interfaces): Record<string, string> {
  const bases = (declaration.heritageClauses ?? []).flatMap(({ types }) =>
    types.flatMap((type) => interfaces.get(type.expression.getText()) ?? []),
  );
  const own = declaration.members.filter(ts.isPropertySignature).flatMap((member) => {
    const description = commentOf(member);
    return description === undefined ? [] : [[member.name.getText(), description]];
  });
  return Object.assign({}, ...bases.map((base) => fieldsOf(base, interfaces)), Object.fromEntries(own));
}

/** Returns a doc comment as one line. */
function commentOf(node: ts.Node): string | undefined {
  const comment = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc)?.comment;
  return ts.getTextOfJSDocComment(comment)?.replace(/\s+/g, " ").trim();
}
