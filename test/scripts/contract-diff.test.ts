import { expect, it } from "vitest";
import * as z from "zod/mini";
import { diffContracts } from "../../scripts/generate/contract-diff.ts";
import type { Contract, Operation, Schema, ZodSchema } from "../../src/contract/index.ts";
import type { OpenApiDocument } from "../../src/openapi/document.ts";
import { toOpenApi } from "../../src/openapi/to-openapi.ts";

const text = z.string();

/** An operation that reads a book, with the given parts instead of its own. */
const operation = (parts: Partial<Operation> = {}): Operation => ({
  id: "books:read",
  method: "GET",
  path: "/v1/books/{id}",
  summary: "Read a book.",
  security: { schemes: ["pat", "oat"], scopes: ["books:read"] },
  request: { path: z.object({ id: text }) },
  response: { status: 200, body: z.object({}) },
  failures: {},
  idempotent: () => true,
  ...parts,
});

const tiny: Contract = {
  version: "2030-01",
  operations: [operation()],
  scopes: ["books:read", "books:write"],
  webhookEventTypes: ["book.lent", "book.returned"],
};

/** A document with that operation, and the given parts instead of its own. */
const documentWith = (parts: Partial<Contract>, models: Readonly<Record<string, Schema>> = {}) =>
  toOpenApi({ ...tiny, ...parts }, { models });
const withOne = (parts: Partial<Operation>, models?: Readonly<Record<string, Schema>>) =>
  documentWith({ operations: [operation(parts)] }, models);
const sent = (Book: Schema) => withOne({ method: "POST", request: { body: Book } }, { Book });
const received = (Book: Schema) => withOne({ response: { status: 200, body: Book } }, { Book });

/** The differences between two documents, one line each, breaking ones first. */
function linesOf(before: OpenApiDocument, after: OpenApiDocument): string {
  const differences = diffContracts(before, after).sort((one, other) => Number(other.breaking) - Number(one.breaking));
  const lines = differences.map((each) => `${each.subject}: ${each.message}${each.breaking ? " (breaking)" : ""}`);
  return lines.join("\n");
}

const book = z.object({ title: text });
const withPages = z.object({ title: text, pages: z.int() });
const withOptionalPages = z.object({ title: text, pages: z.exactOptional(z.int()) });

/** A model with one field. */
const titled = (title: ZodSchema) => z.object({ title });
const oneOf = (...values: string[]) => titled(z.enum(values));
const union = (...schemas: [ZodSchema, ...ZodSchema[]]) => titled(z.union(schemas));
const short = (length: number) => text.check(z.maxLength(length));
const atMost = (length: number) => titled(short(length));
const mapOf = (value: ZodSchema) => titled(z.record(text, value));
const letters = text.check(z.regex(/^a/));
const either = union(short(5), letters);

/** Whether the change breaks if the model is sent or received; "growth" allows more values where programs expect some. */
type Breaking = "sent" | "received" | "both" | "never" | "growth";

it.each<[line: string, before: ZodSchema, after: ZodSchema, breaking: Breaking]>([
  ["Book.pages: new required field (integer)", book, withPages, "sent"],
  ["Book.pages: new optional field (integer)", book, withOptionalPages, "never"],
  ["Book.pages: field removed", withPages, book, "both"],
  ["Book.pages: now required", withOptionalPages, withPages, "sent"],
  ["Book.pages: now optional", withPages, withOptionalPages, "received"],
  ["Book.title: new type null", book, titled(z.nullable(text)), "received"],
  ["Book.title: no longer type null", titled(z.nullable(text)), book, "sent"],
  ["Book.title: type integer instead of string", book, titled(z.int()), "both"],
  ["Book.title: no longer type string", book, titled(z.unknown()), "received"],
  ['Book.title: new value "b"', oneOf("a"), oneOf("a", "b"), "growth"],
  ['Book.title: no longer value "b"', oneOf("a", "b"), oneOf("a"), "sent"],
  ['Book.title: new value "a", "b"', book, oneOf("a", "b"), "sent"],
  ["Book.title: maxLength 8 instead of 9", atMost(9), atMost(8), "both"],
  ["Book.title: new maxLength 8", book, atMost(8), "sent"],
  ["Book.title: no longer maxLength 8", atMost(8), book, "received"],
  ["Book.title[]: type integer instead of string", titled(z.array(text)), titled(z.array(z.int())), "both"],
  ["Book.title[].pages: new required field (integer)", titled(z.array(book)), titled(z.array(withPages)), "sent"],
  ["Book.title[*]: type integer instead of string", mapOf(text), mapOf(z.int()), "both"],
  ["Book: new additionalProperties false", book, z.strictObject({ title: text }), "sent"],
  ["Book.title.pages: new required field (integer)", union(text, book), union(text, withPages), "sent"],
  [`Book.title: new anyOf {"type":"string","maxLength":9}`, either, union(short(5), letters, short(9)), "received"],
])("%s", (line, before, after, breaking) => {
  const mark = (side: Breaking) => (breaking === side || breaking === "both" ? `${line} (breaking)` : line);
  expect(linesOf(sent(before), sent(after))).toBe(mark("sent"));
  const growth = breaking === "growth" ? "; your program may receive it" : "";
  expect(linesOf(received(before), received(after))).toBe(mark("received").replace(line, line + growth));
});

const both = (Book: Schema) => withOne({ request: { body: Book }, response: { status: 200, body: Book } }, { Book });
const same = documentWith({});
const two = documentWith({ operations: [operation(), operation({ id: "books:write", method: "POST" })] });
const query = (shape: Record<string, Schema>) => withOne({ request: { query: z.object(shape) as Schema } });
const failing = (body: Schema) => withOne({ failures: { 409: body } as Operation["failures"] });
const data = (Data: Schema) => documentWith({ webhookData: { "book.lent": Data } });
const secured = (...scopes: string[]) => withOne({ security: { schemes: ["pat"], scopes } });

it.each<[lines: string, before: OpenApiDocument, after: OpenApiDocument]>([
  ["", sent(either), sent(union(letters, short(5)))],
  // A model of both requests and responses breaks if one of them breaks, and is compared once.
  ["Book.pages: new required field (integer) (breaking)", both(book), both(withPages)],
  ["Book.pages: now optional (breaking)", both(withPages), both(withOptionalPages)],
  ["books:write: new operation (POST /v1/books/{id})", same, two],
  ["books:write: operation removed (breaking)", two, same],
  ["books:read: route GET /v1/shelf instead of GET /v1/books/{id} (breaking)", same, withOne({ path: "/v1/shelf" })],
  ["", same, withOne({ summary: "Other words." })],
  ["books:read.query.page: new optional field (string)", query({}), query({ page: z.exactOptional(text) })],
  ["books:read status 409: new status", same, failing(book)],
  ["books:read status 409.title: type integer instead of string (breaking)", failing(book), failing(titled(z.int()))],
  ['books:read.credential: value "pat b" instead of "pat a" (breaking)', secured("a"), secured("b")],
  ["shelves:read: new scope", same, documentWith({ scopes: [...tiny.scopes, "shelves:read"] })],
  ["book.returned: event type removed (breaking)", same, documentWith({ webhookEventTypes: ["book.lent"] })],
  ["book.lent.data.pages: now optional (breaking)", data(withPages), data(withOptionalPages)],
])("%s", (lines, before, after) => expect(linesOf(before, after)).toBe(lines));
