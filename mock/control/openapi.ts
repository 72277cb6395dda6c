import { CONTROL_PATH } from "../state/own-addresses.ts";
import type { Row } from "./row.ts";
import { rows } from "./rows.ts";

/** The path of the document below `/__mock`. */
export const OPENAPI_PATH = "/openapi.json";

/** Returns the OpenAPI 3.1 description of the control API. */
export function controlOpenApi(): object {
  return {
    openapi: "3.1.1",
    info: {
      title: "Billing Service mock: control API",
      version: "1",
      description: "Arranges and inspects the state of a mock server.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: CONTROL_PATH }],
    security: [{}, { password: [] }],
    paths: paths(),
    components: COMPONENTS,
  };
}

const ERROR = { $ref: "#/components/responses/Error" };

const COMPONENTS = {
  securitySchemes: {
    password: { type: "http", scheme: "bearer", description: "The password of the control API, if it has one." },
  },
  responses: {
    Error: {
      description: "The request failed.",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    },
  },
  schemas: {
    Error: {
      type: "object",
      required: ["error", "detail"],
      properties: {
        error: { type: "string", description: "A code that does not change." },
        detail: { type: "string", description: "A message for people." },
      },
    },
  },
};

function paths(): Record<string, Record<string, object>> {
  const all: Record<string, Record<string, object>> = {};
  for (const [key, row] of Object.entries<Row>(rows)) {
    const [method = "", path = ""] = key.split(" ");
    all[path] = { ...all[path], [method.toLowerCase()]: operationOf(method, path, row) };
  }
  return all;
}

/** The id of an operation: `DELETE /faults/{id}` is `delete_faults_id`. */
function operationOf(method: string, path: string, { summary, query = {}, body, status, optional }: Row): object {
  const hasId = path.includes("{id}");
  const isPaged = "limit" in query;
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[{}]/g, "").replaceAll(/[/-]/g, "_")}`,
    tags: [path.split("/")[1]],
    summary,
    parameters: [
      ...(hasId ? [{ name: "id", in: "path", required: true, schema: { type: "string" } }] : []),
      ...Object.entries(query).map(([name, description]) => ({
        ...{ name, in: "query", required: false, description },
        schema: { type: "string" },
      })),
    ],
    ...(body !== undefined && {
      requestBody: { description: body, content: { "application/json": { schema: { type: "object" } } } },
    }),
    responses: {
      [status ?? 200]: isPaged ? PAGE : { description: "The operation succeeded.", content: ANY_JSON },
      204: { description: "The operation succeeded and has no result." },
      ...(hasId || optional ? { 404: ERROR } : {}),
      "4XX": ERROR,
      default: ERROR,
    },
  };
}

const ANY_JSON = { "application/json": { schema: {} } };

const PAGE = {
  description: "One page of the list, oldest first.",
  headers: {
    Link: { description: 'The URL of the next page, with rel="next" (RFC 8288).', schema: { type: "string" } },
  },
  content: { "application/json": { schema: { type: "array" } } },
};
