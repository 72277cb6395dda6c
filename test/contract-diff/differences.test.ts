import { expect, it } from "vitest";
import * as z from "zod/mini";
import { changesSince, withGeneratedBlock } from "../../scripts/generate/pages.ts";
import type { Contract, Operation, Schema, ZodSchema } from "../../src/contract/index.ts";
import { diffContracts } from "../../src/contract-diff/index.ts";
import { type OpenApiDocument, toOpenApi } from "../../src/openapi/index.ts";

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
  securitySchemes: {
    oidc: { type: "openIdConnect", openIdConnectUrl: "/discovery", description: "OpenID." },
    pat: { type: "http", scheme: "bearer", description: "A user's." },
    oat: { type: "http", scheme: "bearer", description: "An organization's." },
  },
  webhookEventTypes: ["book.lent", "book.returned"],
  webhookData: {},
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
const exclusive = (...schemas: [ZodSchema, ...ZodSchema[]]) => titled(z.xor(schemas));
const short = (length: number) => text.check(z.maxLength(length));
const atMost = (length: number) => titled(short(length));
const matching = (pattern: RegExp) => titled(text.check(z.regex(pattern)));
const mapOf = (value: ZodSchema) => titled(z.record(text, value));
const letters = text.check(z.regex(/^a/));
const either = union(short(5), letters);
const [five, nine] = ['{"type":"string","maxLength":5}', '{"type":"string","maxLength":9}'];
const grown = `anyOf is ${five} or ${nine} or {"type":"string","pattern":"^a"}; it was ${five} or {"type":"string","pattern":"^a"}`;

/** Whether the change breaks if the model is sent or received; "growth" allows more values where programs expect some. */
type Breaking = "sent" | "received" | "both" | "never" | "growth";

it.each<[line: string, before: ZodSchema, after: ZodSchema, breaking: Breaking]>([
  ["Book.pages: new required field (integer)", book, withPages, "sent"],
  ["Book.pages: new optional field (integer)", book, withOptionalPages, "never"],
  ["Book.pages: field removed", withPages, book, "both"],
  ["Book.pages: field removed", withOptionalPages, book, "both"],
  ["Book.pages: now required", withOptionalPages, withPages, "sent"],
  ["Book.pages: now optional", withPages, withOptionalPages, "received"],
  ["Book.title: type is string or null instead of string", book, titled(z.nullable(text)), "received"],
  ["Book.title: type is string instead of string or null", titled(z.nullable(text)), book, "sent"],
  ["Book.title: type is integer instead of string", book, titled(z.int()), "both"],
  ["Book.title: type is number instead of integer", titled(z.int()), titled(z.number()), "both"],
  ["Book.title: type is any value instead of string", book, titled(z.unknown()), "received"],
  ['Book.title: new value "b"', oneOf("a"), oneOf("a", "b"), "growth"],
  ['Book.title: no longer has the value "b"', oneOf("a", "b"), oneOf("a"), "sent"],
  ['Book.title: only "a", "b" is allowed', book, oneOf("a", "b"), "sent"],
  ['Book.title: no longer limited to "a", "b"', oneOf("a", "b"), book, "growth"],
  ["Book.title: maxLength is 8; it was 9", atMost(9), atMost(8), "both"],
  ["Book.title: maxLength is 8", book, atMost(8), "sent"],
  ["Book.title: maxLength was removed; it was 8", atMost(8), book, "growth"],
  ["Book.title: pattern is ^b; it was ^a", matching(/^a/), matching(/^b/), "both"],
  ["Book.title[]: type is integer instead of string", titled(z.array(text)), titled(z.array(z.int())), "both"],
  ["Book.title[].pages: new required field (integer)", titled(z.array(book)), titled(z.array(withPages)), "sent"],
  ["Book.title[*]: type is integer instead of string", mapOf(text), mapOf(z.int()), "both"],
  ["Book: additionalProperties is false", book, z.strictObject({ title: text }), "sent"],
  ["Book: additionalProperties was removed; it was false", z.strictObject({ title: text }), book, "growth"],
  ["Book.title.pages: new required field (integer)", union(text, book), union(text, withPages), "sent"],
  [`Book.title: ${grown}`, either, union(short(5), letters, short(9)), "both"],
])("%s", (line, before, after, breaking) => {
  const mark = (side: Breaking) => (breaking === side || breaking === "both" ? `${line} (breaking)` : line);
  expect(linesOf(sent(before), sent(after))).toBe(mark("sent"));
  const growth = breaking === "growth" ? "; your program may receive it" : "";
  expect(linesOf(received(before), received(after))).toBe(mark("received") + growth);
});

it.each([
  ["an enum that any string joins", z.enum(["a"]), z.union([z.enum(["a"]), text])],
  ["a limit that any string joins", short(5), z.union([short(5), text])],
  ["two limits that become one", z.union([short(5), short(10)]), short(5)],
])("a union of strings is compared as a whole: %s", (_name, before, after) => {
  const [one, other, more] = [titled(before), titled(after), titled(z.union([after, z.int()]))].map(sent);
  for (const lines of [linesOf(one!, other!), linesOf(other!, one!)])
    expect(lines).toMatch(/Book\.title: .* \(breaking\)/);
  expect(linesOf(other!, more!)).not.toBe("");
});

const nullable = titled(z.nullable(short(8)));
const orNull = "Book.title: type is string or null instead of string";
const both = (Book: Schema) => withOne({ request: { body: Book }, response: { status: 200, body: Book } }, { Book });
const shelf = (Book: Schema) => {
  const Shelf = z.object({ books: z.array(Book as ZodSchema) });
  return withOne({ request: { body: Shelf } }, { Book, Shelf });
};
const tree = (value: ZodSchema): ZodSchema => {
  const Tree: ZodSchema = z.object({ value, branches: z.array(z.lazy(() => Tree)) });
  return Tree;
};
const listing = (scopes: string[], webhookEventTypes: string[]) => {
  const [Scope, Type] = [z.enum(scopes), z.enum(webhookEventTypes)];
  const body = z.object({ scopes: z.array(Scope), labels: z.looseRecord(Scope, text), events: z.array(Type) });
  const operations = [operation({ response: { status: 200, body } })];
  return documentWith({ operations, scopes, webhookEventTypes }, { Scope });
};

const same = documentWith({});
const two = documentWith({ operations: [operation(), operation({ id: "books:write", method: "POST" })] });
const query = (shape: Record<string, Schema>) => withOne({ request: { query: z.object(shape) as Schema } });
const withBody = withOne({ request: { path: z.object({ id: text }), body: book } });
const answering = (body: Schema) => withOne({ response: { status: 200, body } });
const failing = (body: Schema) => withOne({ failures: { 409: body } as Operation["failures"] });
const secured = (schemes: Operation["security"]["schemes"], ...scopes: string[]) =>
  withOne({ security: { schemes, scopes } });
const data = (Data: Schema) => documentWith({ webhookData: { "book.lent": Data } });
const listed = titled(z.array(text));
const optional = z.exactOptional(text);
const replaced = (field: string, removed: string, added: string) =>
  `books:read.${field}: no longer has the value "${removed}" (breaking)\nbooks:read.${field}: new value "${added}"`;
const schemes = { ...tiny.securitySchemes, pat: tiny.securitySchemes.oidc } as unknown as Contract["securitySchemes"];

it.each<[lines: string, before: OpenApiDocument, after: OpenApiDocument]>([
  [`Book.title: maxLength is 8 (breaking)\n${orNull}`, sent(book), sent(nullable)],
  [`${orNull}\nBook.title: maxLength was removed; it was 8`, sent(atMost(8)), sent(titled(z.nullable(text)))],
  ["", sent(either), sent(union(letters, short(5)))],
  ["", sent(exclusive(short(5), letters)), sent(exclusive(letters, short(5)))],
  // A model of both requests and responses breaks if one of them breaks, and is compared once.
  ["Book.pages: new required field (integer) (breaking)", both(book), both(withPages)],
  ["Book.pages: now optional (breaking)", both(withPages), both(withOptionalPages)],
  ['Book.title: new value "b"; your program may receive it', both(oneOf("a")), both(oneOf("a", "b"))],
  ["Book.pages: new required field (integer) (breaking)", shelf(book), shelf(withPages)],
  ["Book.value: type is integer instead of string (breaking)", sent(tree(text)), sent(tree(z.int()))],
  ["books:write: new operation (POST /v1/books/{id})", same, two],
  ["books:write: operation removed (breaking)", two, same],
  [
    "books:read: operation removed (breaking)\nbooks:get: new operation (GET /v1/books/{id})",
    ...([same, withOne({ id: "books:get" })] as const),
  ],
  ["books:read: route is GET /v1/shelf; it was GET /v1/books/{id} (breaking)", same, withOne({ path: "/v1/shelf" })],
  ["", same, withOne({ summary: "Other words." })],
  ["books:read.query.page: new optional field (string)", query({}), query({ page: optional })],
  ["books:read.body: new required field (object) (breaking)", same, withBody],
  ["books:read.body: field removed (breaking)", withBody, same],
  [
    "books:read status 200: status removed (breaking)\nbooks:read status 201: new status (object) (breaking)",
    ...([same, withOne({ response: { status: 201, body: z.object({}) } })] as const),
  ],
  ["books:read status 409: new status (object)", same, failing(book)],
  ["books:read status 409: status removed", failing(book), same],
  ["books:read status 409.title: type is array instead of string (breaking)", failing(book), failing(listed)],
  ["books:read status 200.title: type is array instead of string (breaking)", answering(book), answering(listed)],
  [replaced("credential", "pat", "oat"), secured(["pat"]), secured(["oat"])],
  [replaced("scope", "a", "c"), secured(["pat"], "a", "b"), secured(["pat"], "b", "c")],
  ['books:read.scope: only "a", "b" is allowed (breaking)', secured(["pat"]), secured(["pat"], "a", "b")],
  ['books:read.scope: no longer limited to "a"', secured(["pat"], "a"), secured(["pat"])],
  ["shelves:read: new scope", same, documentWith({ scopes: [...tiny.scopes, "shelves:read"] })],
  ["books:write: scope removed (breaking)", same, documentWith({ scopes: ["books:read"] })],
  [
    "book.lost: new event type\nbooks:write: new scope",
    ...([listing(["books:read"], ["book.lent"]), listing([...tiny.scopes], ["book.lent", "book.lost"])] as const),
  ],
  ["book.returned: event type removed (breaking)", same, documentWith({ webhookEventTypes: ["book.lent"] })],
  ["book.lent.data: type is object instead of any value", same, data(book)],
  ["book.lent.data: type is any value instead of object (breaking)", data(book), same],
  ["book.lent.data.title: now optional (breaking)", data(book), data(z.object({ title: optional }))],
  [
    'pat: form is {"type":"openIdConnect","openIdConnectUrl":"/discovery"}; it was {"type":"http","scheme":"bearer"} (breaking)',
    ...([same, documentWith({ securitySchemes: schemes })] as const),
  ],
])("%s", (lines, before, after) => expect(linesOf(before, after)).toBe(lines));

const NewBook = z.object({ title: z.nullable(text), shelf: z.exactOptional(z.enum(["a|b", "c"])) });
const newOperations = [
  operation({ response: { status: 200, body: NewBook } }),
  operation({ id: "books:write", method: "PUT" }),
];
const newScopes = [...tiny.scopes, "shelves:read"];
const markdown = `## Differences from 2030-01

4 differences, 1 of them breaking.

**Operations**

- \`books:write\`: new operation (PUT /v1/books/{id}).

**Models**

- Breaking: \`Book.title\`: type is string or null instead of string. In \`books:read\`.
- \`Book.shelf\`: new optional field ("a\\|b", "c"). In \`books:read\`.

**Scopes**

- \`shelves:read\`: new scope.
`;

it("CHANGES.md has the differences from the version before, and says whether the version is Next", () => {
  const before = received(book);
  const parts = { version: "2030-04", operations: newOperations, scopes: newScopes };
  const after = documentWith(parts, { Book: NewBook });
  expect(changesSince(before, after, false)).toBe(markdown);
  expect(changesSince(before, after, true)).toMatch(
    /^2030-04 is Next: it may change .+\n\n## Differences from 2030-01/,
  );
  expect(changesSince(before, before, false)).toMatch(/\n\nNone. Both versions have the same contract.\n$/);
});

it("the generated part of a page is replaced, and keeps what a person wrote beside it", () => {
  const first = withGeneratedBlock("# 2030-04\n\nWritten by hand.\n", "One.");
  expect(first).toMatch(/^# 2030-04\n\n<!-- .+ -->\n\nOne\.\n\n<!-- .+ -->\n\nWritten by hand\.\n$/);
  expect(withGeneratedBlock(first, "Two.")).toBe(first.replace("One.", "Two."));
  expect(withGeneratedBlock("# 2030-04\n", "One.")).toMatch(/^# 2030-04\n\n<!-- .+ -->\n\nOne\.\n\n<!-- .+ -->\n$/);
  expect(() => withGeneratedBlock("No title", "One.")).toThrow("a page needs a title for its generated block");
});
