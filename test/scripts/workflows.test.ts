import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const files = globSync(".github/workflows/*.yml", { cwd: root });

it.each(files)("%s may only read by default, pins each action to a commit, and names its version", (file) => {
  const text = readFileSync(root + file, "utf8");
  expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
  const actions = [...text.matchAll(/uses: ([^.\n].*)/g)].map(([, action = ""]) => action);
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
});

it("a release is verified first, limited in time, and published with provenance and without a token of npm", () => {
  const [, job = ""] = readFileSync(`${root}.github/workflows/release.yml`, "utf8").split("\n  release:\n");
  expect(job).toMatch(/^ {4}needs: verify\n/);
  expect(job).toMatch(/^ {4}timeout-minutes: \d+$/m);
  for (const line of ["id-token: write", 'NPM_CONFIG_PROVENANCE: "true"', "publish-script: npm run release"]) {
    expect(job).toContain(` ${line}\n`);
  }
  expect(job).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/);
});
