import { expect, it } from "vitest";
import * as z from "zod/mini";
import type { ZodSchema } from "../../src/contract/index.ts";
import { inRequest, inResponse, linesOf, operation, tinyDocument } from "./tiny-document.ts";

const text = z.string();
const book = z.object({ title: text });
const withPages = z.object({ title: text, pages: z.int() });
const withOptionalPages = z.object({ title: text, pages: z.exactOptional(z.int()) });

/** A model with one field. */
const titled = (title: ZodSchema) => z.object({ title });
const oneOf = (...values: string[]) => titled(z.enum(values));
const union = (...schemas: [ZodSchema, ...ZodSchema[]]) => titled(z.union(schemas));
const short = (length: number) => text.check(z.maxLength(length));
const atMost = (length: number) => titled(short(length));
const matching = (pattern: RegExp) => titled(text.check(z.regex(pattern)));
const mapOf = (value: ZodSchema) => titled(z.record(text, value));

const letters = text.check(z.regex(/^a/));
const ofTwo = '{"type":"string","maxLength":5} or {"type":"string","pattern":"^a"}';
const ofEither =
  '{"type":"string","maxLength":5} or {"type":"string","maxLength":9} or {"type":"string","pattern":"^a"}';

/** Whether the change breaks if the model is sent or received; "growth" allows more values where programs expect some. */
type Breaking = "sent" | "received" | "both" | "never" | "growth";

const rows: readonly (readonly [line: string, before: ZodSchema, after: ZodSchema, breaking: Breaking])[] = [
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
  [
    `Book.title: anyOf is ${ofEither}; it was ${ofTwo}`,
    ...([union(short(5), letters), union(short(5), letters, short(9)), "both"] as const),
  ],
];

it.each(rows)("%s", (line, before, after, breaking) => {
  const mark = (side: Breaking) => (breaking === side || breaking === "both" ? `${line} (breaking)` : line);
  expect(linesOf(inRequest(before), inRequest(after))).toEqual([mark("sent")]);
  const received = breaking === "growth" ? `${line}; your program may receive it` : mark("received");
  expect(linesOf(inResponse(before), inResponse(after))).toEqual([received]);
});

it.each([
  ["an enum that any string joins", z.enum(["a"]), z.union([z.enum(["a"]), text])],
  ["a limit that any string joins", short(5), z.union([short(5), text])],
  ["two limits that become one", z.union([short(5), short(10)]), short(5)],
])("a union of strings is compared as a whole: %s", (_name, before, after) => {
  const [one, other, more] = [titled(before), titled(after), titled(z.union([after, z.int()]))].map(inRequest);
  for (const lines of [linesOf(one!, other!), linesOf(other!, one!)])
    expect(lines.join("\n")).toMatch(/Book\.title: .* \(breaking\)/);
  expect(linesOf(other!, more!)).not.toEqual([]);
});

it("the order of alternatives does not matter, whether any or exactly one matches", () => {
  for (const of of [union, (...schemas: ZodSchema[]) => titled(z.xor(schemas))])
    expect(linesOf(inRequest(of(short(5), letters)), inRequest(of(letters, short(5))))).toEqual([]);
});

it("a field that becomes nullable is still compared", () => {
  const nullable = titled(z.nullable(text.check(z.maxLength(8))));
  const limited = ["Book.title: maxLength is 8 (breaking)", "Book.title: type is string or null instead of string"];
  expect(linesOf(inRequest(book), inRequest(nullable))).toEqual(limited);
  const freed = ["Book.title: type is string or null instead of string", "Book.title: maxLength was removed; it was 8"];
  expect(linesOf(inRequest(atMost(8)), inRequest(titled(z.nullable(text))))).toEqual(freed);
});

it("a model of both requests and responses breaks if one of them breaks, and is compared once", () => {
  const both = (Book: ZodSchema) => {
    const operations = [operation({ request: { body: Book }, response: { status: 200, body: Book } })];
    return tinyDocument({ operations }, { Book });
  };
  expect(linesOf(both(book), both(withPages))).toEqual(["Book.pages: new required field (integer) (breaking)"]);
  expect(linesOf(both(withPages), both(withOptionalPages))).toEqual(["Book.pages: now optional (breaking)"]);
  const growth = ['Book.title: new value "b"; your program may receive it'];
  expect(linesOf(both(oneOf("a")), both(oneOf("a", "b")))).toEqual(growth);
});

it("a model inside another counts where the other is used, and names the operations", () => {
  const shelf = (Book: ZodSchema) => {
    const Shelf = z.object({ books: z.array(Book) });
    return tinyDocument({ operations: [operation({ request: { body: Shelf } })] }, { Book, Shelf });
  };
  expect(linesOf(shelf(book), shelf(withPages))).toEqual(["Book.pages: new required field (integer) (breaking)"]);
});

it("a model that contains itself is compared once", () => {
  const tree = (value: ZodSchema): ZodSchema => {
    const Tree: ZodSchema = z.object({ value, branches: z.array(z.lazy(() => Tree)) });
    return Tree;
  };
  const difference = "Book.value: type is integer instead of string (breaking)";
  expect(linesOf(inRequest(tree(text)), inRequest(tree(z.int())))).toEqual([difference]);
});
