import { globSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Contract, Schema } from "../../src/contract/index.ts";
import { type OpenApiDocument, toOpenApi } from "../../src/openapi/index.ts";
import { modelDocs } from "./model-docs.ts";

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

function load(file: string): Promise<Record<string, unknown>> {
  return import(pathToFileURL(versions + file).href);
}

function isSchemaEntry(entry: [string, unknown]): entry is [string, Schema] {
  return typeof entry[1] === "object" && entry[1] !== null && "_zod" in entry[1];
}
