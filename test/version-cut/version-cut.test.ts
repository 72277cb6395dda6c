import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { nextVersion, releaseDates } from "../../src/lifecycle/index.ts";
import { ProjectCopy } from "./project-copy.ts";

const [oldest = "", , newest = ""] = versionNames();
const RELEASE_DAY = releaseDates(newest).current.from.earliest;
/** Two tests generate files, which takes 5 seconds on an idle machine. */
const PATIENCE = 120_000;
let copy: ProjectCopy;

const pathOf = (file: string) => join(copy.folder, file);
const write = (file: string, text: string) => writeFileSync(pathOf(file), text);

/** Cuts a release on its first day, without the tests of the project. */
function cut(...options: readonly string[]) {
  return copy.node("scripts/version-cut.ts", "--no-test", "--date", RELEASE_DAY, ...options);
}

beforeAll(() => {
  copy = new ProjectCopy();
});
beforeEach(() => {
  copy.git("reset", "--quiet", "--hard");
  copy.git("clean", "--quiet", "-fd");
});
afterAll(() => copy[Symbol.dispose]());

it("--dry-run prints the release and its steps, of which npm test is the last, and changes nothing", async () => {
  const { status, output } = await copy.node("scripts/version-cut.ts", "--dry-run", "--date", RELEASE_DAY);
  expect(status).toBe(0);
  expect(output).toContain(`  ${oldest}  Deprecated, then removed\n`);
  expect(output).toContain(
    `1. Delete versions/${oldest}\n2. Copy versions/${newest} to versions/${nextVersion(newest)}\n`,
  );
  expect(output).toMatch(/5\. npm run version-packages\n6\. npm test\nNothing was changed \(--dry-run\)\.\n$/);
  expect(copy.git("status", "--porcelain")).toBe("");
});

const many = () => Array.from("abcdef", (name) => write(`${name}.txt`, ""));
const gap = () => renameSync(pathOf(`versions/${oldest}`), pathOf("versions/2001-01"));
const found = `three consecutive versions; found 2001-01, ${versionNames().slice(1).join(", ")}.`;

it.each<[what: string, says: string, arrange: () => unknown, ...options: string[]]>([
  [
    "uncommitted changes",
    "commit, stash or delete these changes first: a.txt, b.txt, c.txt, d.txt, e.txt and 1 more.",
    many,
  ],
  ["a release before its first day", "2001-02-03 is too early: ", () => {}, "--date", "2001-02-03"],
  ["versions that are not three consecutive quarters", `versions/ must contain ${found}`, gap],
])("rejects %s", async (_, says, arrange, ...options) => {
  arrange();
  expect(await cut(...options)).toEqual({ status: 2, output: expect.stringContaining(`version:cut: ${says}`) });
});

/** Cuts a release of a copy with another file, which fails. Returns the output. */
async function failedWith(file: string, text: string): Promise<string> {
  write(file, text);
  copy.commit();
  const { status, output } = await cut();
  expect(status).toBe(1);
  return output;
}

it("names the failed step, its reason, and the commands that undo the steps before it", {
  timeout: PATIENCE,
}, async () => {
  const output = await failedWith("docs/upgrading.md", "no title");
  expect(output).toContain("a page needs a title for its generated block");
  expect(output).toContain(
    "version:cut: step 5 of 5 failed (npm run version-packages): scripts/generate.ts exited with 1; see its messages above. Fix the cause, undo the steps, and start again.",
  );
  const [, undo = ""] = /To undo all steps: (.+)\n$/.exec(output) ?? [];
  expect(copy.git("status", "--porcelain")).not.toBe("");
  await copy.shell(undo);
  expect(copy.git("status", "--porcelain")).toBe("");
  copy.git("reset", "--quiet", "--hard", "HEAD~1");
});

it("fails if changesets ignores the package, because its version would stay", { timeout: PATIENCE }, async () => {
  const config = JSON.parse(readFileSync(pathOf(".changeset/config.json"), "utf8"));
  const ignoring = JSON.stringify({ ...config, ignore: ["@billing-service/sdk"] });
  expect(await failedWith(".changeset/config.json", ignoring)).toMatch(
    /step 5 of 5 failed \(npm run version-packages\): changesets did not use \.changeset\/release-/,
  );
  copy.git("reset", "--quiet", "--hard", "HEAD~1");
});
