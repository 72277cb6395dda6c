import { expect, test } from "vitest";
import { collections } from "../../mock/control/record-rows.ts";
import { rows } from "../../mock/control/rows.ts";
import { createMock } from "../../mock/index.ts";
import { started } from "../support/started-server.ts";

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

async function served(): Promise<Document> {
  const server = await started();
  const response = await fetch(`${server.url}/__mock/openapi.json`);
  expect(response.status).toBe(200);
  return (await response.json()) as Document;
}

test("the control API serves its OpenAPI 3.1 description, with every route", async () => {
  const { openapi, servers, paths } = await served();
  expect(openapi).toMatch(/^3\.1\./);
  expect(servers).toEqual([{ url: "/__mock" }]);
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(Object.keys(rows).sort());
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

test("an operation is described with its parameters, its body and its responses", async () => {
  const { paths } = await served();
  expect(paths["/customers/{id}"]?.["patch"]).toMatchObject({
    operationId: "patch_customers_id",
    parameters: [{ name: "id", in: "path", required: true }],
    requestBody: { description: expect.any(String) },
    responses: { 200: {}, 404: {}, default: {} },
  });
  expect(paths["/requests"]?.["get"]?.parameters.map(({ name }) => name)).toEqual([
    "operation",
    "method",
    "path",
    "status",
    "version",
    "limit",
    "after",
  ]);
  expect(paths["/faults"]?.["post"]?.responses).toHaveProperty("201");
});

test("the list of routes names the OpenAPI description", async () => {
  const { url } = await started();
  const { openapi } = (await (await fetch(`${url}/__mock`)).json()) as { readonly openapi: string };
  expect((await fetch(url + openapi)).headers.get("content-type")).toBe("application/json");
});

test("every writable collection of a mock has routes", () => {
  const mock = createMock();
  const writable = Object.entries(mock).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && "create" in value ? [name] : [],
  );
  expect(Object.keys(collections).sort()).toEqual(writable.sort());
  for (const { path } of Object.values(collections)) expect(rows).toHaveProperty([`POST ${path}`]);
});
