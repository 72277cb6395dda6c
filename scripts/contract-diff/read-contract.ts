import { join } from "node:path";
import { suggestName } from "../../src/errors/closest-name.ts";
import type { OpenApiDocument } from "../../src/openapi/index.ts";
import { readFile } from "../../terminal/read-file.ts";
import { UsageError } from "../../terminal/usage-error.ts";
import { versionNames } from "../entry-points.ts";

/**
 * Reads the OpenAPI document of a version of the package, or one at a path that ends with `.json`.
 *
 * @throws UsageError if the version or the file does not exist, or the file is not an OpenAPI document of a contract.
 */
export function readContract(name: string): OpenApiDocument {
  if (name.endsWith(".json")) return parse(name, readFile("the document", name));
  if (!versionNames().includes(name)) throw new UsageError(`unknown version ${suggestName(name, versionNames())}`);
  return parse(name, readFile("the document", join(import.meta.dirname, `../../versions/${name}/openapi.json`)));
}

function parse(name: string, text: string): OpenApiDocument {
  const document = parseJson(name, text) as Partial<OpenApiDocument> | null;
  if (document?.paths && document["x-webhook-events"]) return document as OpenApiDocument;
  throw new UsageError(`${name} is not an OpenAPI document of this package: it has no paths or no x-webhook-events.`);
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${(error as Error).message}.`);
  }
}
