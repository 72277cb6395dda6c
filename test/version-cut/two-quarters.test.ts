import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generatedFiles } from "../../scripts/generate/files.ts";
import { nextVersion, releaseDates } from "../../src/lifecycle/index.ts";
import { AFTER_NEXT, LAST, NEXT } from "../support/versions.ts";
import { ProjectCopy } from "./project-copy.ts";

let copy: ProjectCopy;

/** Cuts the release that makes a version Current, on its first day. */
function cut(version: string, ...options: readonly string[]) {
  const { earliest } = releaseDates(version).current.from;
  return copy.node("scripts/version-cut.ts", "--no-test", "--date", earliest, ...options);
}

beforeAll(async () => {
  copy = new ProjectCopy();
  for (const version of [NEXT, AFTER_NEXT]) {
    const { status, output } = await cut(version);
    expect(status, output).toBe(0);
    copy.commit();
  }
});
afterAll(() => copy[Symbol.dispose]());

it("each release replaces the oldest version with a new one, and is a major version of the package", () => {
  const versions = globSync("versions/20*", { cwd: copy.folder }).sort();
  expect(versions).toEqual([NEXT, AFTER_NEXT, LAST].map((name) => `versions/${name}`));
  const majors = ["HEAD~2", "HEAD~1", "HEAD"].map((commit) => {
    return Number(JSON.parse(copy.git("show", `${commit}:package.json`)).version.split(".")[0]);
  });
  expect(majors).toEqual([0, 1, 2].map((more) => (majors[0] ?? 0) + more));
  const changes = copy.git("show", `HEAD:versions/${LAST}/CHANGES.md`);
  expect(changes).toMatch(/^# .*\n\n<!-- Written by .*<!-- End of the generated part. -->\n$/s);
});

it("a release changes at most 45 files beside the versions and what is generated, and no test", async () => {
  const generated = [...(await generatedFiles()).keys(), "CHANGELOG.md", "docs/conformance-report.md"];
  const changed = copy.git("diff", "--name-only", "HEAD~1", "HEAD", "--", ".", ":!versions", ":!.changeset").trim();
  const files = changed.split("\n").filter((file) => !generated.includes(file));
  expect(files.filter((file) => !/^(package\.json|README\.md|(docs|examples)\/.*)$/.test(file))).toEqual([]);
  expect(files.length).toBeLessThanOrEqual(45);
});

it("two quarters later, the types, the build and the rules pass", { timeout: 600_000 }, async () => {
  for (const command of [
    "npm run types",
    "node scripts/build.ts",
    `npx vitest run --project "rules*" test/rules/releases.test.ts test/rules/versions.test.ts`,
  ]) {
    const { status, output } = await copy.shell(command);
    expect(status, output.slice(-20_000)).toBe(0);
  }
});

it("a release needs its date and a clean tree, and can be undone if a step fails; --dry-run changes nothing", async () => {
  const third = nextVersion(AFTER_NEXT);
  expect(await cut(third, "--dry-run")).toEqual({ status: 0, output: expect.stringContaining("Nothing was changed") });
  const early = await cut(third, "--date", "2001-02-03");
  expect(early).toEqual({ status: 1, output: expect.stringContaining("2001-02-03 is too early") });
  writeFileSync(join(copy.folder, "docs/upgrading.md"), "no title");
  expect(await cut(third)).toEqual({ status: 1, output: expect.stringContaining("docs/upgrading.md") });
  copy.commit();
  const { output } = await cut(third);
  const undo = /step 5 .* failed.* To undo: (.+)\n/.exec(output)?.[1] ?? "false";
  expect(await copy.shell(undo), output).toMatchObject({ status: 0 });
  expect(copy.git("status", "--porcelain"), output).toBe("");
});
