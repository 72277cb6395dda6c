import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { nextVersion, releaseDates } from "../../src/lifecycle/index.ts";
import { ProjectCopy } from "./project-copy.ts";

const [, , newest = ""] = versionNames();
const nextNewest = nextVersion(newest);
let copy: ProjectCopy;

/** Cuts the release that makes a version Current, on its first day. */
function cut(version: string, ...options: readonly string[]) {
  const { earliest } = releaseDates(version).current.from;
  return copy.node("scripts/version-cut.ts", "--no-test", "--date", earliest, ...options);
}

function versionsInCopy(): string[] {
  return globSync("versions/20*", { cwd: copy.folder })
    .map((folder) => folder.replace("versions/", ""))
    .sort();
}

beforeAll(async () => {
  copy = new ProjectCopy();
  for (const version of [newest, nextNewest]) {
    const { status, output } = await cut(version);
    expect(status, output).toBe(0);
    copy.commit();
  }
});
afterAll(() => copy[Symbol.dispose]());

it("each release replaces the oldest version with a new one", () => {
  expect(versionsInCopy()).toEqual([newest, nextNewest, nextVersion(nextNewest)]);
});

it("each release is a major version of the package", () => {
  const majorAt = (commit: string) =>
    Number(JSON.parse(copy.git("show", `${commit}:package.json`)).version.split(".")[0]);
  expect([majorAt("HEAD~1"), majorAt("HEAD")]).toEqual([majorAt("HEAD~2") + 1, majorAt("HEAD~2") + 2]);
});

it("the changes of a new version are only those that were generated", () => {
  const changes = copy.git("show", `HEAD:versions/${nextVersion(nextNewest)}/CHANGES.md`);
  expect(changes).toMatch(/^# .*\n\n<!-- Written by .*<!-- End of the generated part. -->\n$/s);
});

it("two quarters later, the removed versions are named only in the history, the calendar and tests", () => {
  const history = ["CHANGELOG.md", "docs/decisions", "package-lock.json", "versions/*/CHANGES.md"];
  const allowed = [...history, "src/lifecycle", "test"].map((place) => `:!${place}`);
  const removed = versionNames().filter((version) => !versionsInCopy().includes(version));
  // Not the beginning of a date, and not a longer name.
  const found = removed.flatMap((name) => copy.search(`(^|[^0-9])${name}($|[^-0-9T]|-[^0-9])`, ...allowed));
  expect(found).toEqual([]);
});

it("two quarters later, the types, the build and the newest rules pass", { timeout: 600_000 }, async () => {
  const rules = `npx vitest run --project "rules, ${versionsInCopy().at(-1)}"`;
  for (const command of ["npm run types", "node scripts/build.ts", rules]) {
    const { status, output } = await copy.shell(command);
    expect(status, output.slice(-20_000)).toBe(0);
  }
});

it("a release needs its date and a clean tree, and can be undone if a step fails; --dry-run changes nothing", async () => {
  const third = nextVersion(nextNewest);
  expect(await cut(third, "--dry-run")).toEqual({ status: 0, output: expect.stringContaining("Nothing was changed") });
  const early = await cut(third, "--date", "2001-02-03");
  expect(early).toEqual({ status: 2, output: expect.stringContaining("2001-02-03 is too early") });
  writeFileSync(join(copy.folder, "docs/upgrading.md"), "no title");
  expect(await cut(third)).toEqual({ status: 2, output: expect.stringContaining("first: docs/upgrading.md.") });
  copy.commit();
  const { output } = await cut(third);
  const undo = /step 5 of 5 failed .* To undo all steps: (.+)\n$/.exec(output)?.[1] ?? "false";
  expect(await copy.shell(undo), output).toMatchObject({ status: 0 });
  expect(copy.git("status", "--porcelain"), output).toBe("");
});
