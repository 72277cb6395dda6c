import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { versionNames } from "../../scripts/entry-points.ts";
import { changesSince, upgradesOf } from "../../scripts/generate/differences.ts";
import { withGeneratedBlock } from "../../scripts/generate/generated-block.ts";
import type { Schema } from "../../src/contract/index.ts";
import { operation, tinyDocument } from "./tiny-document.ts";

const OLDEST = "2024-10";

const folder = mkdtempSync(join(tmpdir(), "contracts-"));
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

- Breaking: \`Book.title\`: can now be null. In \`books:read\`.
- \`Book.shelf\`: new optional field ("a\\|b", "c"). In \`books:read\`.

**Scopes**

- \`shelves:read\`: new scope.
`;

afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file, and returns its path. */
function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

/** Runs `npm run contract:diff` with arguments. */
function contractDiff(...args: string[]) {
  const script = join(import.meta.dirname, "../../scripts/contract-diff.ts");
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...args], { encoding: "utf8" });
  return { stdout, stderr, status };
}

describe("contract:diff", () => {
  const [one, other] = [file("one.json", before), file("other.json", after)];

  it("prints the differences by area, breaking ones first", () => {
    expect(contractDiff(one, other)).toEqual({
      stdout: `${one} to ${other}: 4 differences, 1 of them breaking

Operations
  + books:write: new operation (PUT /v1/books/{id})

Models
  ~ Book.title: can now be null (breaking)
  + Book.shelf: new optional field ("a|b", "c")

Scopes
  + shelves:read: new scope
`,
      stderr: "",
      status: 0,
    });
  });

  it("prints one line of JSON with --json", () => {
    const { stdout } = contractDiff(one, other, "--json");
    expect(stdout).toMatch(/^.+\n$/);
    const { differences, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ before: one, after: other, breaking: true });
    expect(differences).toHaveLength(4);
    expect(differences).toContainEqual({
      area: "model",
      change: "changed",
      subject: "Book.title",
      message: "can now be null",
      breaking: true,
      operations: ["books:read"],
    });
  });

  it("compares versions of the package", () => {
    const [oldest, newest] = [versionNames()[0], versionNames().at(-1)] as [string, string];
    expect(contractDiff(oldest, oldest).stdout).toBe(`${oldest} and ${oldest} have the same contract.\n`);
    expect(contractDiff(oldest, newest)).toMatchObject({ stderr: "", status: 0 });
  });

  it.each([
    [["2030-01"], "expected two versions, such as 2024-10 2025-01; received 1 argument."],
    [[`${OLDEST}0`, "2025-01"], `unknown version "${OLDEST}0". Did you mean "${OLDEST}"?`],
    [["2024-10", join(folder, "none.json")], "none.json: not found."],
    [["2024-10", file("text.json", "{")], "text.json is not JSON"],
    [["2024-10", file("null.json", null)], "null.json is not an OpenAPI document of this package"],
  ])("%j fails", (args, message) => {
    const { stderr, status } = contractDiff(...args);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });
});

describe("the generated part", () => {
  it("of CHANGES.md has the differences from the version before, and says whether the version is Next", () => {
    const heading = "## Differences from 2030-01\n\n";
    expect(changesSince(before, after, false)).toBe(heading + markdown);
    expect(changesSince(before, after, true)).toMatch(
      /^2030-04 is Next: it may change .+\n\n## Differences from 2030-01/,
    );
    expect(changesSince(before, before, false)).toBe(`${heading}None. Both versions have the same contract.\n`);
  });

  it("of the upgrade guide has the differences between each version and every later one", () => {
    const third = { ...after, info: { ...after.info, version: "2030-07" } };
    const page = upgradesOf([before, after, third]);
    expect(page.match(/^### .+$/gm)).toEqual([
      "### From 2030-01 to 2030-04",
      "### From 2030-01 to 2030-07",
      "### From 2030-04 to 2030-07",
    ]);
    expect(page).toContain(`### From 2030-01 to 2030-07\n\n${markdown}`);
  });

  it("is replaced, and keeps what a person wrote beside it", () => {
    const first = withGeneratedBlock("# 2030-04\n\nWritten by hand.\n", "One.");
    expect(first).toMatch(/^# 2030-04\n\n<!-- .+ -->\n\nOne\.\n\n<!-- .+ -->\n\nWritten by hand\.\n$/);
    expect(withGeneratedBlock(first, "Two.")).toBe(first.replace("One.", "Two."));
    expect(withGeneratedBlock("# 2030-04\n", "One.")).toMatch(/^# 2030-04\n\n<!-- .+ -->\n\nOne\.\n\n<!-- .+ -->\n$/);
  });

  it("needs a page with a title", () => {
    expect(() => withGeneratedBlock("No title", "One.")).toThrow("a page needs a title for its generated block");
  });
});
