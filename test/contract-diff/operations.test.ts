import { expect, it } from "vitest";
import * as z from "zod/mini";
import type { Contract, Operation, Schema } from "../../src/contract/index.ts";
import { linesOf, operation, tinyDocument } from "./tiny-document.ts";

/** A change of a contract with one operation, and the lines that describe it. */
type Row = readonly [name: string, before: Partial<Contract>, after: Partial<Contract>, lines: string[]];

const text = z.string();
const Book = z.object({ title: text });
const Problem = z.object({ detail: text });
const write = operation({ id: "books:write", method: "POST" });

/** A contract with one operation that reads a book. */
const withOne = (parts: Partial<Operation>) => ({ operations: [operation(parts)] });
const query = (Query: Operation["request"]["query"]) => withOne({ request: { query: Query as Schema } });
const secured = (schemes: Operation["security"]["schemes"], scopes: readonly string[]) =>
  withOne({ security: { schemes, scopes } });
const failing = (failures: object) => withOne({ failures: failures as Operation["failures"] });
const both = { operations: [operation(), write] };

const rows: readonly Row[] = [
  ["a new operation", {}, both, ["books:write: new operation (POST /v1/books/{id})"]],
  ["a removed operation", both, {}, ["books:write: operation removed (POST /v1/books/{id}) (breaking)"]],
  ["a renamed operation", {}, withOne({ id: "books:get" }), ["books:get: renamed from books:read"]],
  [
    "another path",
    {},
    withOne({ path: "/v1/volumes/{id}" }),
    ["books:read: is GET /v1/volumes/{id}; it was GET /v1/books/{id} (breaking)"],
  ],
  [
    "a new optional parameter",
    query(z.object({})),
    query(z.object({ page: z.exactOptional(text) })),
    ["books:read query parameter page: new optional parameter (string)"],
  ],
  [
    "a new required parameter",
    query(z.object({})),
    query(z.object({ page: text })),
    ["books:read query parameter page: new required parameter (string) (breaking)"],
  ],
  [
    "a removed parameter",
    query(z.object({ page: z.exactOptional(text) })),
    query(z.object({})),
    ["books:read query parameter page: parameter removed (breaking)"],
  ],
  [
    "a parameter that becomes required",
    query(z.object({ page: z.exactOptional(text) })),
    query(z.object({ page: text })),
    ["books:read query parameter page: now required (breaking)"],
  ],
  [
    "a parameter that becomes optional",
    query(z.object({ page: text })),
    query(z.object({ page: z.exactOptional(text) })),
    ["books:read query parameter page: now optional"],
  ],
  [
    "a limit of a parameter",
    query(z.object({ page: text })),
    query(z.object({ page: text.check(z.maxLength(2)) })),
    ["books:read query parameter page: maximum length is 2 (breaking)"],
  ],
  [
    "another status",
    {},
    withOne({ response: { status: 201, body: z.object({}) } }),
    [
      "books:read status 200: status removed (object) (breaking)",
      "books:read status 201: new status (object) (breaking)",
    ],
  ],
  ["a new error", {}, failing({ 409: Problem }), ["books:read status 409: new status (object)"]],
  ["a removed error", failing({ 409: Problem }), {}, ["books:read status 409: status removed (object)"]],
  [
    "another body of an error",
    failing({ 409: Problem }),
    failing({ 409: z.object({ detail: z.array(text) }) }),
    ["books:read status 409.detail: type is array instead of string (breaking)"],
  ],
  [
    "another body of a response",
    withOne({ response: { status: 200, body: Book } }),
    withOne({ response: { status: 200, body: z.object({ title: z.nullable(text) }) } }),
    ["books:read status 200.title: can now be null (breaking)"],
  ],
  [
    "a request body",
    {},
    withOne({ request: { path: z.object({ id: text }), body: Book } }),
    ["books:read: now requires a request body (breaking)"],
  ],
  [
    "no request body",
    withOne({ request: { path: z.object({ id: text }), body: Book } }),
    {},
    ["books:read: no longer has a request body (breaking)"],
  ],
  [
    "another credential",
    secured(["pat"], []),
    secured(["oat"], []),
    ["books:read: no longer accepts the credential pat (breaking)", "books:read: accepts the credential oat"],
  ],
  [
    "other scopes",
    secured(["pat"], ["a", "b"]),
    secured(["pat"], ["b", "c"]),
    ["books:read: no longer accepts the scope a (breaking)", "books:read: accepts the scope c"],
  ],
  [
    "a scope that is required",
    secured(["pat"], []),
    secured(["pat"], ["a", "b"]),
    ["books:read: requires the scope a or b (breaking)"],
  ],
  [
    "no scope that is required",
    secured(["pat"], ["a"]),
    secured(["pat"], []),
    ["books:read: no longer requires a scope"],
  ],
  ["a new scope", {}, { scopes: ["books:read", "books:write", "shelves:read"] }, ["shelves:read: new scope"]],
  ["a removed scope", {}, { scopes: ["books:read"] }, ["books:write: scope removed (breaking)"]],
  [
    "a new event type",
    {},
    { webhookEventTypes: ["book.lent", "book.returned", "book.lost"] },
    ["book.lost: new event type"],
  ],
  ["a removed event type", {}, { webhookEventTypes: ["book.lent"] }, ["book.returned: event type removed (breaking)"]],
  ["data that is described", {}, { webhookData: { "book.lent": Book } }, ["book.lent: its data is now described"]],
  [
    "data whose schema was removed",
    { webhookData: { "book.lent": Book } },
    {},
    ["book.lent: the schema of its data was removed (breaking)"],
  ],
  [
    "other data",
    { webhookData: { "book.lent": Book } },
    { webhookData: { "book.lent": z.object({ title: z.exactOptional(text) }) } },
    ["book.lent data.title: now optional (breaking)"],
  ],
];

it.each(rows)("%s", (_name, before, after, lines) => {
  expect(linesOf(tinyDocument(before), tinyDocument(after))).toEqual(lines);
});

it("a new name in a list that models repeat is one difference", () => {
  const document = (scopes: readonly [string, ...string[]], types: readonly [string, ...string[]]) => {
    const Scope = z.enum(scopes);
    const Labels = z.looseRecord(Scope, text);
    const Types = z.array(z.enum(types));
    const body = z.object({ scopes: z.array(Scope), labels: Labels, events: Types });
    return tinyDocument(
      { operations: [operation({ response: { status: 200, body } })], scopes, webhookEventTypes: types },
      { Scope },
    );
  };
  const before = document(["books:read"], ["book.lent"]);
  expect(linesOf(before, document(["books:read", "books:write"], ["book.lent", "book.lost"]))).toEqual([
    "book.lost: new event type",
    "books:write: new scope",
  ]);
});

it("a kind of credential that is sent differently is breaking", () => {
  const { securitySchemes } = tinyDocument().components;
  const changed = { ...securitySchemes, pat: securitySchemes["oidc"] } as Contract["securitySchemes"];
  expect(linesOf(tinyDocument(), tinyDocument({ securitySchemes: changed }))).toEqual([
    "pat: is sent differently (breaking)",
  ]);
});
