import { expect, it } from "vitest";
import * as z from "zod/mini";
import type { Contract, Operation, Schema } from "../../src/contract/index.ts";
import { linesOf, operation, tinyDocument } from "./tiny-document.ts";

const text = z.string();
const optional = z.exactOptional(text);
const Book = z.object({ title: text });

/** A contract with one operation that reads a book. */
const withOne = (parts: Partial<Operation>) => ({ operations: [operation(parts)] });
const query = (shape: Record<string, Schema>) => withOne({ request: { query: z.object(shape) as Schema } });
const secured = (schemes: Operation["security"]["schemes"], ...scopes: string[]) =>
  withOne({ security: { schemes, scopes } });
const failing = (body: Schema) => withOne({ failures: { 409: body } as Operation["failures"] });
const responding = (body: Schema) => withOne({ response: { status: 200, body } });
const both = { operations: [operation(), operation({ id: "books:write", method: "POST" })] };
const withBody = withOne({ request: { path: z.object({ id: text }), body: Book } });
const data = (Data: Schema) => ({ webhookData: { "book.lent": Data } });
const created = withOne({ response: { status: 201, body: z.object({}) } });
const titled = (title: Schema) => z.object({ title: title as z.ZodMiniType });

const gone = "books:read status 200: status removed (object)";
const toArray = ".title: type is array instead of string";
const replaced = (list: string, removed: string, added: string) =>
  `books:read request.${list}: no longer has the value "${removed}" (breaking)\n` +
  `books:read request.${list}: new value "${added}"`;

/** A change of a contract with one operation, and the lines that describe it. */
const rows: readonly (readonly [line: string, before: Partial<Contract>, after: Partial<Contract>])[] = [
  ["books:write: new operation (POST /v1/books/{id})", {}, both],
  ["books:write: operation removed (POST /v1/books/{id}) (breaking)", both, {}],
  [
    "books:read: operation removed (GET /v1/books/{id}) (breaking)\nbooks:get: new operation (GET /v1/books/{id})",
    ...([{}, withOne({ id: "books:get" })] as const),
  ],
  ["books:read: is GET /v1/shelf; it was GET /v1/books/{id} (breaking)", {}, withOne({ path: "/v1/shelf" })],
  ["", {}, withOne({ summary: "Other words." })],
  ["books:read request.query.page: new optional field (string)", query({}), query({ page: optional })],
  ["books:read request.body: new required field (object) (breaking)", {}, withBody],
  ["books:read request.body: field removed (breaking)", withBody, {}],
  [`${gone} (breaking)\nbooks:read status 201: new status (object) (breaking)`, {}, created],
  ["books:read status 409: new status (object)", {}, failing(Book)],
  ["books:read status 409: status removed (object)", failing(Book), {}],
  [`books:read status 409${toArray} (breaking)`, failing(Book), failing(titled(z.array(text)))],
  [`books:read status 200${toArray} (breaking)`, responding(Book), responding(titled(z.array(text)))],
  [replaced("credential", "pat", "oat"), secured(["pat"]), secured(["oat"])],
  [replaced("scope", "a", "c"), secured(["pat"], "a", "b"), secured(["pat"], "b", "c")],
  ['books:read request.scope: only "a", "b" is allowed (breaking)', secured(["pat"]), secured(["pat"], "a", "b")],
  ['books:read request.scope: no longer limited to "a"', secured(["pat"], "a"), secured(["pat"])],
  ["shelves:read: new scope", {}, { scopes: ["books:read", "books:write", "shelves:read"] }],
  ["books:write: scope removed (breaking)", {}, { scopes: ["books:read"] }],
  ["book.lost: new event type", {}, { webhookEventTypes: ["book.lent", "book.returned", "book.lost"] }],
  ["book.returned: event type removed (breaking)", {}, { webhookEventTypes: ["book.lent"] }],
  ["book.lent: its data is now described", {}, data(Book)],
  ["book.lent: the schema of its data was removed (breaking)", data(Book), {}],
  ["book.lent data.title: now optional (breaking)", data(Book), data(z.object({ title: optional }))],
];

it.each(rows)("%s", (lines, before, after) => {
  expect(linesOf(tinyDocument(before), tinyDocument(after)).join("\n")).toBe(lines);
});

it("a new name in a list that models repeat is one difference", () => {
  const document = (scopes: string[], webhookEventTypes: string[]) => {
    const [Scope, Type] = [z.enum(scopes), z.enum(webhookEventTypes)];
    const body = z.object({ scopes: z.array(Scope), labels: z.looseRecord(Scope, text), events: z.array(Type) });
    return tinyDocument({ ...responding(body), scopes, webhookEventTypes }, { Scope });
  };
  const before = document(["books:read"], ["book.lent"]);
  const after = document(["books:read", "books:write"], ["book.lent", "book.lost"]);
  expect(linesOf(before, after)).toEqual(["book.lost: new event type", "books:write: new scope"]);
});

it("a kind of credential that is sent differently is breaking", () => {
  const { securitySchemes } = tinyDocument().components;
  const changed = { ...securitySchemes, pat: securitySchemes["oidc"] } as Contract["securitySchemes"];
  const lines = linesOf(tinyDocument(), tinyDocument({ securitySchemes: changed }));
  expect(lines).toEqual(["pat: is sent differently (breaking)"]);
});
