import { readFileSync } from "node:fs";
import type { OpenApiDocument } from "../../src/openapi/index.ts";
import type { PackagedVersion } from "../versions.ts";

/** Reads the OpenAPI document of a version of the package. The path is the same from `cli/upgrade` and from `dist/cli`. */
export function readDocument(version: PackagedVersion): OpenApiDocument {
  const path = new URL(`../../versions/${version}/openapi.json`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf8")) as OpenApiDocument;
}
