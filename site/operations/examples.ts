import type { Method } from "../../src/contract/index.ts";
import type { JsonSchema, OpenApiDocument, OperationObject } from "../../src/openapi/index.ts";
import type { BoundOperation, Place } from "./bound-operations.ts";
import { nameOf } from "./fields.ts";
import { toJson } from "./markdown.ts";
import { SAMPLE_ID, sampleOf } from "./sample-of.ts";

/** A valid request to an operation. */
export interface SampleRequest {
  readonly method: Method;
  readonly path: string;
  /** The query without its question mark. */
  readonly query: string;
  /** The body as a JSON value; undefined without a body. */
  readonly body: unknown;
}

/** A program that calls an operation. */
export interface Example {
  readonly title: "Client" | "curl" | "Mock";
  readonly language: "ts" | "sh";
  readonly code: string;
}

/** A valid request to an operation, and programs that send it. */
export interface Examples {
  readonly request: SampleRequest;
  readonly examples: readonly Example[];
}

/** Returns an example of an operation for the client, for curl and for the mock. */
export function examplesOf(
  bound: BoundOperation,
  described: OperationObject,
  version: string,
  document: OpenApiDocument,
): Examples {
  const facts = factsOf(bound, described, version, document);
  const examples: Example[] = [
    { title: "Client", language: "ts", code: clientExample(facts) },
    { title: "curl", language: "sh", code: curlExample(facts) },
    { title: "Mock", language: "ts", code: mockExample(facts) },
  ];
  return { request: requestOf(facts), examples };
}

interface Facts extends BoundOperation {
  readonly version: string;
  /** A valid value for each part of the request. */
  readonly request: Readonly<Record<"path" | "query" | "body", unknown>>;
  /** The collection of the mock that has the record which the operation reads. */
  readonly collection?: string | undefined;
}

function factsOf(bound: BoundOperation, described: OperationObject, version: string, document: OpenApiDocument): Facts {
  const { response, request } = bound.operation;
  const schemaOf = (schema: unknown) => (schema === undefined ? undefined : sampleOf(resolve(schema, document)));
  const parameters = (location: "path" | "query") => {
    const named = parametersIn(described, location);
    return {
      properties: Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
      required: named.filter(({ required }) => required).map(({ name }) => name),
    };
  };
  const body = described.requestBody?.content["application/json"].schema;
  const data = described.responses[response.status]?.content["application/json"].schema ?? {};
  return {
    ...bound,
    version,
    request: {
      path: request.path && schemaOf(parameters("path")),
      query: request.query && schemaOf(parameters("query")),
      body: schemaOf(body),
    },
    collection: collectionOf(bound, data),
  };
}

/** Returns a schema with its references replaced by what they refer to. */
function resolve(value: unknown, document: OpenApiDocument): JsonSchema {
  const inline = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(inline);
    if (typeof inner !== "object" || inner === null) return inner;
    if ("$ref" in inner) return inline(document.components.schemas[nameOf(inner as JsonSchema)]);
    return Object.fromEntries(Object.entries(inner).map(([name, each]) => [name, inline(each)]));
  };
  return inline(value) as JsonSchema;
}

/** Returns the parameters in one location. */
export function parametersIn({ parameters }: OperationObject, location: "path" | "query") {
  return parameters.flatMap((each) => ("name" in each && each.in === location ? [each] : []));
}

/** Returns the mock's collection that must have a record: the collection of the record with the id, or of the listed records. */
function collectionOf({ operation, resource }: BoundOperation, data: JsonSchema): string | undefined {
  if (operation.pagination) return resource;
  return operation.request.path && `${nameOf(data).replace(/^./, (first) => first.toLowerCase())}s`;
}

function clientExample(facts: Facts): string {
  return `import { createClient } from "@billing-service/sdk/${facts.version}";

const billing = createClient({
  accessToken: process.env.BILLING_TOKEN,
  baseUrl: process.env.BILLING_URL,
});

const result = await ${callOf(facts)};
console.log(result);
`;
}

function mockExample(facts: Facts): string {
  const [scope] = facts.operation.security.scopes.slice(-1);
  const token = scope === undefined ? "mock.issueToken()" : `mock.issueToken({ scopes: ["${scope}"] })`;
  const record = facts.operation.request.path ? "const { id } = " : "";
  const create = facts.collection === undefined ? "" : `${record}mock.${facts.collection}.create();\n`;
  return `import { createClient } from "@billing-service/sdk/${facts.version}";
import { createMock } from "@billing-service/sdk/mock";

const mock = createMock();
const billing = createClient({
  accessToken: ${token},
  fetch: mock.fetch,
});
${create}
const result = await ${callOf(facts, "id")};
console.log(result);
`;
}

/** Longer arguments are written one per line. */
const LONGEST_ARGUMENTS = 30;

/** Returns the code of the call. The id of a record is written as `id` if a variable has that name. */
function callOf({ resource, method, parameters, request }: Facts, id?: string): string {
  const values = parameters.map((place) => ({ place, value: valueAt(place, request) }));
  while (values.length > 0 && isEmpty(values.at(-1)?.value)) values.pop();
  const codes = values.map(({ place, value }) => (place[0] === "path" && id ? id : toCode(value)));
  const short = codes.join(", ");
  const isLong = short.length > LONGEST_ARGUMENTS && !short.includes("\n");
  return `billing.${resource}.${method}(${isLong ? `\n${codes.map((code) => `  ${code},\n`).join("")}` : short})`;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

function valueAt(place: Place, request: Facts["request"]): unknown {
  return place.reduce<unknown>(
    (inner, name) => (inner as Readonly<Record<string, unknown>> | undefined)?.[name],
    request,
  );
}

function curlExample(facts: Facts): string {
  const { method, path, query, body } = requestOf(facts);
  const url = `"$BILLING_URL${path}${query === "" ? "" : `?${query}`}"`;
  const json = body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`];
  const option = method === (body === undefined ? "GET" : "POST") ? "" : `-X ${method} `;
  const headers = [
    '-H "Authorization: Bearer $BILLING_TOKEN"',
    `-H "Service-Version: ${facts.version}"`,
    '-H "Accept: application/json"',
  ];
  return `curl ${option}${[url, ...headers, ...json].join(" \\\n  ")}\n`;
}

function requestOf({ operation: { method, path }, request: { query, body } }: Facts): SampleRequest {
  const pairs = Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]);
  const filled = path.replaceAll(/\{\w+\}/g, SAMPLE_ID);
  return { method, path: filled, query: new URLSearchParams(pairs).toString(), body };
}

/** Returns a JSON value as the code of a JavaScript literal, on several lines if it is long. */
function toCode(value: unknown): string {
  const code = toJson(value).replaceAll(/"(\w+)":/g, "$1:");
  const short = code.replaceAll(/\s*\n\s*/g, " ");
  return short.length <= 60 ? short : code.replaceAll(/(?<=[^,[{])(?=\n)/g, ",");
}
