import { expect, it } from "vitest";
import { STATES, withStateNote } from "../../scripts/generate/state-note.ts";

const code = `import { a } from "./a.ts";

/**
 * Creates a client.
 *
 * @example
 * \`\`\`ts
 * const billing = createClient(options);
 * \`\`\`
 */
export function createClient(options: Options) {}
`;

it("Next says that it may change, and until when", () => {
  expect(withStateNote(code, "2025-04", "Next")).toContain(
    " * Creates a client.\n *\n * This version is Next: it may change in incompatible ways until it becomes Current (2025-04-01 to 2025-04-07).\n *\n * @example\n",
  );
});

it("Deprecated has a tag with the date of its removal at the end", () => {
  expect(withStateNote(code, "2024-10", "Deprecated")).toContain(
    " * ```\n * @deprecated The release between 2025-04-01 and 2025-04-07 removes this version. Import a newer one.\n */\nexport function",
  );
});

it("a note replaces the note of any other state, and Current has none", () => {
  for (const before of STATES) {
    const noted = withStateNote(code, "2025-01", before);
    expect(withStateNote(noted, "2025-01", "Current")).toBe(code);
    for (const state of STATES)
      expect(withStateNote(noted, "2025-01", state)).toBe(withStateNote(code, "2025-01", state));
  }
});

it.each([
  ["no doc comment", "\nexport function createClient(options: Options) {}\n"],
  ["no example", "\n/**\n * Creates a client.\n */\nexport function createClient(options: Options) {}\n"],
])("throws if createClient has %s", (_, broken) => {
  expect(() => withStateNote(broken, "2025-01", "Next")).toThrow(
    "versions/2025-01/index.ts: createClient needs a doc comment with an example",
  );
});
