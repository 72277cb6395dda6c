import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { changesSince, withGeneratedBlock } from "../../scripts/generate/pages.ts";
import type { Schema } from "../../src/contract/index.ts";
import { operation, tinyDocument } from "./tiny-document.ts";

const text = z.string();
const reading = (Book: Schema) => operation({ response: { status: 200, body: Book } });

const Book = z.object({ title: text });
const before = tinyDocument({ operations: [reading(Book)] }, { Book });

const NewBook = z.object({ title: z.nullable(text), shelf: z.exactOptional(z.enum(["a|b", "c"])) });
const after = tinyDocument(
  {
    version: "2030-04",
    operations: [reading(NewBook), operation({ id: "books:write", method: "PUT" })],
    scopes: ["books:read", "books:write", "shelves:read"],
  },
  { Book: NewBook },
);

const markdown = `4 differences, 1 of them breaking.

**Operations**

- \`books:write\`: new operation (PUT /v1/books/{id}).

**Models**

- Breaking: \`Book.title\`: type is string or null instead of string. In \`books:read\`.
- \`Book.shelf\`: new optional field ("a\\|b", "c"). In \`books:read\`.

**Scopes**

- \`shelves:read\`: new scope.
`;

describe("the generated part", () => {
  it("of CHANGES.md has the differences from the version before, and says whether the version is Next", () => {
    const heading = "## Differences from 2030-01\n\n";
    expect(changesSince(before, after, false)).toBe(heading + markdown);
    expect(changesSince(before, after, true)).toMatch(
      /^2030-04 is Next: it may change .+\n\n## Differences from 2030-01/,
    );
    expect(changesSince(before, before, false)).toBe(`${heading}None. Both versions have the same contract.\n`);
  });

  it("is replaced, and keeps what a person wrote beside it", () => {
    const first = withGeneratedBlock("# 2030-04\n\nWritten by hand.\n", "One.");
    expect(first).toMatch(/^# 2030-04\n\n<!-- .+ -->\n\nOne\.\n\n<!-- .+ -->\n\nWritten by hand\.\n$/);
    expect(withGeneratedBlock(first, "Two.")).toBe(first.replace("One.", "Two."));
    expect(withGeneratedBlock("# 2030-04\n", "One.")).toMatch(/^# 2030-04\n\n<!-- .+ -->\n\nOne\.\n\n<!-- .+ -->\n$/);
    expect(() => withGeneratedBlock("No title", "One.")).toThrow("a page needs a title for its generated block");
  });
});
