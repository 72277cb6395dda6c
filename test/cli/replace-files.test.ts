import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { replaceFiles } from "../../cli/upgrade.ts";
import { project, textOf } from "./upgrade-support.ts";

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return { ...fs, renameSync: vi.fn(fs.renameSync) };
});

const { renameSync: rename } = await vi.importActual<typeof import("node:fs")>("node:fs");

afterEach(() => {
  vi.mocked(renameSync).mockReset().mockImplementation(rename);
});

/** Two files, and the replacements of their texts. */
function twoFiles() {
  const folder = project({ "a.ts": "old a", "b.ts": "old b" });
  const replacement = (name: string) => ({
    path: join(folder, `${name}.ts`),
    before: `old ${name}`,
    after: `new ${name}`,
  });
  const texts = () => [textOf(folder, "a.ts"), textOf(folder, "b.ts")];
  return { folder, replacements: [replacement("a"), replacement("b")], texts };
}

test("every file gets its new text, and nothing else remains", () => {
  const { folder, replacements, texts } = twoFiles();
  replaceFiles(replacements);
  expect(texts()).toEqual(["new a", "new b"]);
  expect(readdirSync(folder)).toEqual(["a.ts", "b.ts"]);
});

test("the files that were already replaced get their old text if a later one fails", () => {
  const { folder, replacements, texts } = twoFiles();
  vi.mocked(renameSync).mockImplementation((from, to) => {
    if (String(to).endsWith("b.ts")) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    rename(from, to);
  });
  expect(() => replaceFiles(replacements)).toThrow(`${folder}/b.ts: the disk is full. The command changed no files.`);
  expect(renameSync).toHaveBeenCalledTimes(2);
  expect(texts()).toEqual(["old a", "old b"]);
  expect(readdirSync(folder)).toEqual(["a.ts", "b.ts"]);
});

test("no file is replaced if one has changed since it was read", () => {
  const { folder, replacements, texts } = twoFiles();
  const [first, second] = replacements as [(typeof replacements)[0], (typeof replacements)[0]];
  const stale = [first, { ...second, before: "older b" }];
  expect(() => replaceFiles(stale)).toThrow(
    `${folder}/b.ts: another program modified the file while the command was running. The command changed no files.`,
  );
  expect(texts()).toEqual(["old a", "old b"]);
});
