import { expect, it } from "vitest";
import * as z from "zod/mini";
import type { Schema } from "../../src/contract/index.ts";
import { operation, tinyDocument } from "../contract-diff/tiny-document.ts";

const Book = z.object({ title: z.string(), pages: z.nullable(z.int()) });
const Missing = z.object({ error: z.literal("Missing") });

/** Returns the schema of the successful response of an operation, and the names of all schemas. */
function written(body: Schema, models: Readonly<Record<string, Schema>> = {}) {
  const one = operation({ response: { status: 200, body }, failures: { 404: Missing } as never });
  const { paths, components } = tinyDocument({ operations: [one] }, models);
  const response = paths["/v1/books/{id}"]?.get?.responses["200"];
  return { schema: response?.content["application/json"].schema, names: Object.keys(components.schemas) };
}

it("omits models that no operation and no webhook event refers to", () => {
  const Shelf = z.object({ books: z.array(Book) });
  expect(written(Shelf, { Book, Missing, Shelf }).names).toEqual(["Book", "Missing", "Shelf"]);
  expect(written(Book, { Book, Shelf }).names).toEqual(["Book"]);
  const { components } = tinyDocument({ webhookData: { "book.lent": Book } }, { Book, Shelf });
  expect(Object.keys(components.schemas)).toEqual(["Book"]);
});
