import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const require = createRequire(import.meta.url);
/** The parser that TypeDoc brings along. */
const { parse } = createRequire(require.resolve("typedoc"))("yaml") as { parse(text: string): Workflow };

const files = globSync(".github/workflows/*.yml", { cwd: root }).sort();
const workflowOf = (file: string) => parse(readFileSync(root + file, "utf8"));

describe.each(files)("%s", (file) => {
  const workflow = workflowOf(file);

  it("pins each action to a commit, and names its version", () => {
    const actions = [...readFileSync(root + file, "utf8").matchAll(/uses: ([^.\n].*)/g)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action ?? ""))).toEqual(
      [],
    );
  });

  it("may only read by default, and limits the time of jobs that may write", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    const writing = Object.values(workflow.jobs).filter(({ permissions = {} }) =>
      Object.values(permissions).includes("write"),
    );
    expect(writing.filter((job) => job["timeout-minutes"] === undefined)).toEqual([]);
  });
});

it("a release is verified first, and published with provenance and without a token of npm", () => {
  const { jobs } = workflowOf(".github/workflows/release.yml");
  expect(jobs["release"]).toMatchObject({ needs: "verify", permissions: { "id-token": "write" } });
  const commands = jobs["release"]?.steps?.find(({ uses }) => uses?.startsWith("changesets/action@"))?.with;
  expect(commands).toMatchObject({ "version-script": "npm run version-packages", "publish-script": "npm run release" });
  const text = readFileSync(`${root}.github/workflows/release.yml`, "utf8");
  expect(text).toContain('NPM_CONFIG_PROVENANCE: "true"');
  expect(text).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/);
});
