import { execFileSync } from "node:child_process";
import { globSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generatedFiles } from "../../scripts/generate/files.ts";
import { nextVersion, releaseDates } from "../../src/lifecycle/index.ts";
import { newFolder } from "../support/new-folder.ts";
import { linkPackages } from "../support/packed.ts";
import { AFTER_NEXT, LAST, NEXT } from "../support/versions.ts";
import { run } from "../support/workspace.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** A copy of the project in its own git repository, with uncommitted changes of known files and linked packages. */
const copy = newFolder(afterAll);

function git(...parameters: readonly string[]): string {
  return execFileSync("git", parameters, { cwd: copy, encoding: "utf8" });
}

function commit(): void {
  git("add", "--all");
  const author = ["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgSign=false"];
  git(...author, "commit", "--quiet", "--no-verify", "--message", "Project");
}

const shell = (line: string) => run("sh", ["-c", line], copy);

/** Cuts the release that makes a version Current, on its first day. */
function cut(version: string, options = "") {
  const { earliest } = releaseDates(version).current.from;
  return shell(`node scripts/version-cut.ts --no-test --date ${earliest} ${options}`);
}

beforeAll(async () => {
  const archive = `git archive "$(git stash create || true)" 2>/dev/null || git archive HEAD`;
  execFileSync("sh", ["-c", `(${archive}) | tar x -C ${copy}`], { cwd: root });
  // The cache is not linked, because the copy has its own build.
  const names = readdirSync(join(root, "node_modules")).filter((name) => name !== ".cache");
  linkPackages(join(copy, "node_modules"), join(root, "node_modules"), names);
  git("init", "--quiet");
  commit();
  for (const version of [NEXT, AFTER_NEXT]) {
    const { status, output } = await cut(version);
    expect(status, output).toBe(0);
    commit();
  }
});

it("each release replaces the oldest version with a new one, and is a major version of the package", () => {
  const versions = globSync("versions/20*", { cwd: copy }).sort();
  expect(versions).toEqual([NEXT, AFTER_NEXT, LAST].map((name) => `versions/${name}`));
  const majors = ["HEAD~2", "HEAD~1", "HEAD"].map((commit) => {
    return Number(JSON.parse(git("show", `${commit}:package.json`)).version.split(".")[0]);
  });
  expect(majors).toEqual([0, 1, 2].map((more) => (majors[0] ?? 0) + more));
  const changes = git("show", `HEAD:versions/${LAST}/CHANGES.md`);
  expect(changes).toMatch(/^# .*\n\n<!-- Written by .*<!-- End of the generated part. -->\n$/s);
});

it("a release changes at most 45 files beside the versions and what is generated, and no test", async () => {
  const generated = [...(await generatedFiles()).keys(), "CHANGELOG.md", "examples/conformance-report.md"];
  const changed = git("diff", "--name-only", "HEAD~1", "HEAD", "--", ".", ":!versions", ":!.changeset").trim();
  const files = changed.split("\n").filter((file) => !generated.includes(file));
  expect(files.filter((file) => !/^(package\.json|README\.md|(docs|examples)\/.*)$/.test(file))).toEqual([]);
  expect(files.length).toBeLessThanOrEqual(45);
});

it("two quarters later, the types, the build and the rules pass", { timeout: 600_000 }, async () => {
  for (const command of [
    "npm run types",
    "node scripts/build.ts",
    `npx vitest run --project "rules*" test/rules/versions.test.ts`,
  ]) {
    const { status, output } = await shell(command);
    expect(status, output.slice(-20_000)).toBe(0);
  }
});

it("a release needs its date and a clean tree, and can be undone if a step fails; --dry-run changes nothing", async () => {
  const third = nextVersion(AFTER_NEXT);
  expect(await cut(third, "--dry-run")).toEqual({ status: 0, output: expect.stringContaining("Nothing was changed") });
  const early = await cut(third, "--date 2001-02-03");
  expect(early).toEqual({ status: 1, output: expect.stringContaining("2001-02-03 is too early") });
  writeFileSync(join(copy, "docs/versions.md"), "no title");
  expect(await cut(third)).toEqual({ status: 1, output: expect.stringContaining("docs/versions.md") });
  commit();
  const { output } = await cut(third);
  const undo = /step 5 .* failed.* To undo: (.+)\n/.exec(output)?.[1] ?? "false";
  expect(await shell(undo), output).toMatchObject({ status: 0 });
  expect(git("status", "--porcelain"), output).toBe("");
});
