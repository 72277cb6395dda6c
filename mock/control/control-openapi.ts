import { isPaged } from "./routes/client.ts";
import { CONTROL_PATH, type NamedRoute, namedRoutes } from "./routes/index.ts";
import type { ControlRoute } from "./routes/route.ts";

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
  for (const named of namedRoutes) {
    const { path, method } = named.route;
    all[path] = { ...all[path], [method.toLowerCase()]: operationOf(named) };
  }
  return all;
}

function operationOf({ group, action, route }: NamedRoute): object {
  const { summary, body } = route;
  return {
    operationId: `${group}.${action}`,
    tags: [group],
    summary,
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(body !== undefined && {
      requestBody: { description: body, content: { "application/json": { schema: { type: "object" } } } },
    }),
    responses: responsesOf(route),
  };
}

function pathParameters({ path }: ControlRoute): object[] {
  return path.includes("{id}") ? [{ name: "id", in: "path", required: true, schema: { type: "string" } }] : [];
}

function queryParameters({ query = {} }: ControlRoute): object[] {
  return Object.entries(query).map(([name, description]) => ({
    name,
    in: "query",
    required: false,
    description,
    schema: { type: "string" },
  }));
}

function responsesOf(route: ControlRoute): Record<string, object> {
  const { path, status = 200 } = route;
  return {
    [status]: isPaged(route) ? PAGE : { description: "The operation succeeded.", content: ANY_JSON },
    204: { description: "The operation succeeded and has no result." },
    ...(path.includes("{id}") || route.absent ? { 404: ERROR } : {}),
    "4XX": ERROR,
    default: ERROR,
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
