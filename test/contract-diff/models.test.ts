import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { ZodSchema } from "../../src/contract/index.ts";
import { inError, inRequest, inResponse, linesOf, operation, tinyDocument } from "./tiny-document.ts";

/** A change of the model Book, and its line if the model is sent and if it is received. */
type Row = readonly [name: string, before: ZodSchema, after: ZodSchema, sent: string[], received: string[]];

const text = z.string();
const book = z.object({ title: text });
const withPages = z.object({ title: text, pages: z.int() });
const withOptionalPages = z.object({ title: text, pages: z.exactOptional(z.int()) });

/** Rows of a change whose line differs only in whether it is breaking. */
function row(
  name: string,
  before: ZodSchema,
  after: ZodSchema,
  line: string,
  breaking: "sent" | "received" | "both" | "never",
): Row {
  const mark = (is: boolean) => [is ? `${line} (breaking)` : line];
  const isReceived = breaking === "received" || breaking === "both";
  return [name, before, after, mark(breaking === "sent" || breaking === "both"), mark(isReceived)];
}

/** Rows of a change that allows more values in a place where programs expect it. */
function growth(name: string, before: ZodSchema, after: ZodSchema, line: string): Row {
  return [name, before, after, [line], [`${line}; your program may receive it`]];
}

/** A model with one field. */
const titled = (title: ZodSchema) => z.object({ title });

const rows: readonly Row[] = [
  row("a new required field", book, withPages, "Book.pages: new required field (integer)", "sent"),
  row("a new optional field", book, withOptionalPages, "Book.pages: new optional field (integer)", "never"),
  row("a removed field", withPages, book, "Book.pages: field removed", "both"),
  row("a removed optional field", withOptionalPages, book, "Book.pages: field removed", "both"),
  row("a field that becomes required", withOptionalPages, withPages, "Book.pages: now required", "sent"),
  row("a field that becomes optional", withPages, withOptionalPages, "Book.pages: now optional", "received"),
  row("a field that becomes nullable", book, titled(z.nullable(text)), "Book.title: can now be null", "received"),
  row("a field that becomes non-nullable", titled(z.nullable(text)), book, "Book.title: can no longer be null", "sent"),
  row("another type", book, titled(z.int()), "Book.title: type is integer instead of string", "both"),
  row("a wider type", titled(z.int()), titled(z.number()), "Book.title: type is number instead of integer", "received"),
  row("a narrower type", titled(z.number()), titled(z.int()), "Book.title: type is integer instead of number", "sent"),
  row(
    "any value instead of a type",
    book,
    titled(z.unknown()),
    "Book.title: type is any value instead of string",
    "received",
  ),
  growth("a new value of an enum", titled(z.enum(["a"])), titled(z.enum(["a", "b"])), 'Book.title: new value "b"'),
  row(
    "a removed value of an enum",
    titled(z.enum(["a", "b"])),
    titled(z.enum(["a"])),
    'Book.title: no longer has the value "b"',
    "sent",
  ),
  growth(
    "an enum instead of a constant",
    titled(z.literal("a")),
    titled(z.enum(["a", "b"])),
    'Book.title: new value "b"',
  ),
  row(
    "an enum instead of any string",
    book,
    titled(z.enum(["a", "b"])),
    'Book.title: only "a", "b" is allowed',
    "sent",
  ),
  growth(
    "any string instead of an enum",
    titled(z.enum(["a", "b"])),
    book,
    'Book.title: no longer limited to "a", "b"',
  ),
  row(
    "a limit that is tightened",
    titled(text.check(z.maxLength(9))),
    titled(text.check(z.maxLength(8))),
    "Book.title: maximum length is 8; it was 9",
    "sent",
  ),
  growth(
    "a limit that is relaxed",
    titled(text.check(z.maxLength(8))),
    titled(text.check(z.maxLength(9))),
    "Book.title: maximum length is 9; it was 8",
  ),
  row("a new limit", book, titled(text.check(z.minLength(2))), "Book.title: minimum length is 2", "sent"),
  growth(
    "a removed limit",
    titled(text.check(z.minLength(2))),
    book,
    "Book.title: minimum length was removed; it was 2",
  ),
  row(
    "a lower limit that is raised",
    titled(z.int().check(z.minimum(1))),
    titled(z.int().check(z.minimum(2))),
    "Book.title: minimum is 2; it was 1",
    "sent",
  ),
  row("a new format", book, titled(z.uuidv4()), "Book.title: must match the format uuid", "sent"),
  growth("a removed format", titled(z.uuidv4()), book, "Book.title: no longer has to match the format uuid"),
  row(
    "another pattern",
    titled(text.check(z.regex(/^a/))),
    titled(text.check(z.regex(/^b/))),
    "Book.title: matches the pattern ^b instead of the pattern ^a",
    "both",
  ),
  row(
    "another pattern of the same format",
    titled(z.uuidv4()),
    titled(z.uuid()),
    "Book.title: matches another pattern for the format uuid",
    "both",
  ),
  row(
    "other items",
    titled(z.array(text)),
    titled(z.array(z.int())),
    "Book.title[]: type is integer instead of string",
    "both",
  ),
  row(
    "a field of an item",
    titled(z.array(book)),
    titled(z.array(withPages)),
    "Book.title[].pages: new required field (integer)",
    "sent",
  ),
  row(
    "the values of a map",
    titled(z.record(text, text)),
    titled(z.record(text, z.int())),
    "Book.title[*]: type is integer instead of string",
    "both",
  ),
  row(
    "unknown fields that become forbidden",
    book,
    z.strictObject({ title: text }),
    "Book: unknown fields are no longer allowed",
    "sent",
  ),
  growth("fields that are ignored", z.strictObject({ title: text }), book, "Book: unknown fields are now allowed"),
  row(
    "a new alternative",
    titled(z.union([text, z.int()])),
    titled(z.union([text, z.int(), z.boolean()])),
    "Book.title: new alternative boolean",
    "received",
  ),
  row(
    "a removed alternative",
    titled(z.union([text, z.int()])),
    book,
    "Book.title: no longer has the alternative integer",
    "sent",
  ),
  row(
    "an alternative that changed",
    titled(z.union([text, book])),
    titled(z.union([text, withPages])),
    "Book.title.pages: new required field (integer)",
    "sent",
  ),
];

describe("a model of requests", () => {
  it.each(rows)("%s", (_name, before, after, sent) => {
    expect(linesOf(inRequest(before), inRequest(after))).toEqual(sent);
  });
});

describe("a model of responses", () => {
  it.each(rows)("%s", (_name, before, after, _sent, received) => {
    expect(linesOf(inResponse(before), inResponse(after))).toEqual(received);
  });
});

it("a model of errors is received", () => {
  expect(linesOf(inError(withPages), inError(withOptionalPages))).toEqual(["Book.pages: now optional (breaking)"]);
});

it("a model of both requests and responses breaks if one of them breaks, and is compared once", () => {
  const both = (Book: ZodSchema) =>
    tinyDocument(
      { operations: [operation({ request: { body: Book }, response: { status: 200, body: Book } })] },
      { Book },
    );
  expect(linesOf(both(book), both(withPages))).toEqual(["Book.pages: new required field (integer) (breaking)"]);
  expect(linesOf(both(withPages), both(withOptionalPages))).toEqual(["Book.pages: now optional (breaking)"]);
});

it("a model inside another counts where the other is used, and names the operations", () => {
  const shelf = (Book: ZodSchema) => {
    const Shelf = z.object({ books: z.array(Book) });
    return tinyDocument({ operations: [operation({ request: { body: Shelf } })] }, { Book, Shelf });
  };
  expect(linesOf(shelf(book), shelf(withPages))).toEqual(["Book.pages: new required field (integer) (breaking)"]);
});

it("a model that is given a name is the same contract", () => {
  const Shelf = z.object({ books: z.array(book) });
  const named = tinyDocument({ operations: [operation({ request: { body: Shelf } })] }, { Book: book, Shelf });
  const inline = tinyDocument({ operations: [operation({ request: { body: Shelf } })] }, { Shelf });
  expect(linesOf(inline, named)).toEqual(["Book: new model"]);
  expect(linesOf(named, inline)).toEqual(["Book: model removed (breaking)"]);
});

it("a model that contains itself is compared once", () => {
  const tree = (value: ZodSchema): ZodSchema => {
    const Tree: ZodSchema = z.object({
      value,
      get branches() {
        return z.array(Tree);
      },
    });
    return Tree;
  };
  expect(linesOf(inRequest(tree(text)), inRequest(tree(z.int())))).toEqual([
    "Book.value: type is integer instead of string (breaking)",
  ]);
});
