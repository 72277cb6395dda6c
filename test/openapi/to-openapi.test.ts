import { expect, it, vi } from "vitest";
import * as z from "zod/mini";
import type { Contract, Operation, Schema } from "../../src/contract/index.ts";
import { toOpenApi } from "../../src/openapi/index.ts";
import { standardSchema } from "../support/standard-schema.ts";

const Book = z.object({ title: z.string(), pages: z.nullable(z.int()) });
const Missing = z.object({ error: z.literal("Missing") });

const readBook: Operation = {
  id: "books:read",
  method: "GET",
  path: "/v1/books/{id}",
  summary: "Read a book.",
  security: { schemes: ["pat", "oat"], scopes: ["user:read", "user:write"] },
  request: { path: z.object({ id: z.uuidv4() }), query: z.object({ page: z.exactOptional(z.int()) }) },
  response: { status: 200, body: Book },
  failures: { 404: Missing, 418: z.union([Missing, Book]) } as Operation["failures"],
  repeatable: () => true,
};

const writeBook: Operation = {
  ...readBook,
  id: "books:write",
  method: "PUT",
  gap: "G-BOOKS",
  security: { schemes: ["oidc"], scopes: [] },
  request: { path: z.object({ id: z.uuidv4() }), body: Book },
  response: { status: 201, body: z.array(Book) },
};

const contract: Contract = {
  version: "2030-01",
  operations: [readBook, writeBook],
  scopes: ["user:read", "user:write"],
  securitySchemes: {
    oidc: { type: "openIdConnect", openIdConnectUrl: "/discovery", description: "OpenID." },
    pat: { type: "http", scheme: "bearer", description: "A user's." },
    oat: { type: "http", scheme: "bearer", description: "An organization's." },
  },
  webhookEventTypes: ["order.paid", "order.created"],
  webhookData: { "order.paid": Book },
};

/** Returns the schema of a successful response of a contract with one operation. */
function written(body: Schema, models: Readonly<Record<string, Schema>> = {}) {
  const { paths, components } = toOpenApi(
    { ...contract, operations: [{ ...readBook, response: { status: 200, body } }], webhookData: {} },
    { models },
  );
  const response = paths["/v1/books/{id}"]?.get?.responses["200"];
  return { schema: response?.content["application/json"].schema, components };
}

it("omits models that no operation and no webhook event refers to", () => {
  const Shelf = z.object({ books: z.array(Book) });
  const { components } = written(Shelf, { Book, Missing, Shelf });
  expect(Object.keys(components.schemas)).toEqual(["Book", "Missing", "Shelf"]);
  expect(Object.keys(written(Book, { Book, Shelf }).components.schemas)).toEqual(["Book"]);
});

it("describes a schema of another library by its Standard JSON Schema, or as any value if it has none", () => {
  const accept = (value: unknown) => ({ value });
  const input = vi.fn(() => ({ $schema: "https://json-schema.org/draft/2020-12/schema", type: "string" }));
  expect(written(standardSchema(accept, { jsonSchema: { input } })).schema).toEqual({ type: "string" });
  expect(input).toHaveBeenCalledExactlyOnceWith({ target: "draft-2020-12" });
  expect(written(standardSchema(accept)).schema).toEqual({});
});
