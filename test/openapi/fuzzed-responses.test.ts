import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, it } from "vitest";
import { committed } from "../../scripts/generate/files.ts";
import type { Operation } from "../../src/contract/index.ts";
import type { OpenApiDocument } from "../../src/openapi/document.ts";
import { requestsTo } from "../fuzz/arbitraries/request.ts";
import { holds, patient } from "../fuzz/parameters.ts";
import { fuzzed } from "../fuzz/subject.ts";
import { openAdapter } from "../support/adapter.ts";
import { versionNames, versions } from "../support/clients.ts";

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/** The published document of each version. */
const documents = new Map<string, OpenApiDocument>(
  versionNames.map((version) => [version, JSON.parse(committed(`versions/${version}/openapi.json`) ?? "")]),
);
for (const [version, document] of documents) ajv.addSchema(document, version);

const compiled = new Map<string, ValidateFunction>();

/** Fails unless a value fits the schema at a place of a version's document. */
function expectFits(version: string, place: string, value: unknown): void {
  const $ref = `${version}#/${place}`;
  const validate = compiled.get($ref) ?? ajv.compile({ $ref });
  compiled.set($ref, validate);
  expect(validate(value) ? [] : validate.errors, `${$ref}: ${JSON.stringify(value)}`).toEqual([]);
}

/** Returns the place of the schema of a response; undefined if the document describes no body. */
function schemaOf({ paths, components }: OpenApiDocument, { path, method }: Operation, status: number) {
  const name = method.toLowerCase();
  const responses: Record<string, object> = Object(paths[path])[name].responses;
  const key = status in responses ? status : "default";
  const [, shared] = /([^/]+)$/.exec(Object(responses[key]).$ref ?? "") ?? [];
  const response = shared === undefined ? responses[key] : Object(components).responses[shared];
  const pointer = path.replaceAll("/", "~1").replaceAll(/[{}]/g, encodeURIComponent);
  const place = shared === undefined ? `paths/${pointer}/${name}/responses/${key}` : `components/responses/${shared}`;
  return response.content && `${place}/content/application~1json/schema`;
}

it("20,000 responses to fuzzed requests fit the OpenAPI document of the version that they name", patient, async () => {
  const subject = await fuzzed(await openAdapter({ seed: 1, assumptions: { maxBodyBytes: 2_000 } }));
  const seen = new Set<number>();
  await holds(20_000, requestsTo(versionNames.map((name) => versions[name].contract)), async (request) => {
    const { status, headers, body } = await subject.send(request);
    const version = String(headers.get("service-version"));
    expectFits(version, "components/headers/ServiceVersion/schema", version);
    const place = schemaOf(documents.get(version) as OpenApiDocument, request.operation, status);
    if (place) expectFits(version, place, body);
    seen.add(status);
  });
  expect([...seen].sort()).toEqual([200, 201, 400, 401, 403, 404, 413, 422]);
});
