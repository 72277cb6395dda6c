import { toJson } from "../../markdown.ts";
import type { BoundOperation } from "./bound-operations.ts";
import type { SampleRequest, SampleValues } from "./sample-request.ts";

/** Programs that call an operation, by title. */
export type Examples = Readonly<Record<"Client" | "curl" | "Mock", string>>;

/** What the examples of an operation show. */
interface Facts extends BoundOperation {
  readonly version: string;
  readonly request: SampleRequest;
  readonly values: SampleValues;
  /** The model of the response. */
  readonly model: string;
}

/** Returns an example of an operation for the client, for curl and for the mock. */
export function examplesOf(facts: Facts): Examples {
  return { Client: clientExample(facts), curl: curlExample(facts), Mock: mockExample(facts) };
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
  const { operation, resource, version, model } = facts;
  const scope = operation.security.scopes.at(-1);
  const token = scope === undefined ? "mock.issueToken()" : `mock.issueToken({ scopes: ["${scope}"] })`;
  // The record that the operation reads, or one of those that it lists.
  const read = `const { id } = mock.${model.replace(/^./, (first) => first.toLowerCase())}s.create();\n`;
  const create = operation.pagination ? `mock.${resource}.create();\n` : operation.request.path ? read : "";
  return `import { createClient } from "@billing-service/sdk/${version}";
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
function callOf({ resource, method, parameters, values }: Facts, id?: string): string {
  const codes = parameters.map(([part, name]) => {
    const value: unknown = values[part as keyof SampleValues];
    const shown = name === undefined ? value : (value as Readonly<Record<string, unknown>> | undefined)?.[name];
    if (part === "path" && id) return id;
    return shown === undefined ? "{}" : toCode(shown);
  });
  while (codes.at(-1) === "{}") codes.pop();
  const short = codes.join(", ");
  const isLong = short.length > LONGEST_ARGUMENTS && !short.includes("\n");
  return `billing.${resource}.${method}(${isLong ? `\n${codes.map((code) => `  ${code},\n`).join("")}` : short})`;
}

function curlExample({ version, request: { method, path, query, body } }: Facts): string {
  const json =
    body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${toJson(body).replaceAll("\n", "\n  ")}'`];
  const option = method === (body === undefined ? "GET" : "POST") ? "" : `-X ${method} `;
  const lines = [
    `"$BILLING_URL${path}${query === "" ? "" : `?${query}`}"`,
    '-H "Authorization: Bearer $BILLING_TOKEN"',
    `-H "Service-Version: ${version}"`,
    '-H "Accept: application/json"',
    ...json,
  ];
  return `curl ${option}${lines.join(" \\\n  ")}\n`;
}

/** Returns a JSON value as the code of a JavaScript literal, on several lines if it is long. */
function toCode(value: unknown): string {
  const code = toJson(value).replaceAll(/"(\w+)":/g, "$1:");
  const short = code.replaceAll(/\s*\n\s*/g, " ");
  return short.length <= 60 ? short : code.replaceAll(/(?<=[^,[{])(?=\n)/g, ",");
}
