import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { versionNames } from "../../scripts/entry-points.ts";
import { filesIn } from "../support/packed.ts";

const work = mkdtempSync(join(tmpdir(), "package-"));
const npm = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
const tarball = inject("tarball");

/** The entry points that a program can import. */
const entryPoints = Object.keys(manifest.exports).filter((entryPoint) => !entryPoint.endsWith(".json"));

/** Creates an empty project with the published package and other packages. */
function project(name: string, ...packages: string[]): string {
  const folder = mkdtempSync(join(work, `${name}-`));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  execFileSync("npm", ["install", ...npm, tarball, ...packages], { cwd: folder, stdio: "pipe" });
  return folder;
}

/** Runs a program in a project, and returns its output. */
function run(folder: string, program: string): { status: number | null; stdout: string; stderr: string } {
  writeFileSync(join(folder, "program.js"), program);
  return spawnSync(process.execPath, ["program.js"], { cwd: folder, encoding: "utf8" });
}

afterAll(() => rmSync(work, { recursive: true, force: true }));

describe("the tarball", () => {
  it("contains the build, the documents, the examples and the license, and no sources", () => {
    const files = filesIn(tarball);
    const pages = ["LICENSE", "README.md", "SECURITY.md", "THIRD-PARTY-NOTICES.md", "docs/testing.md"];
    const ofVersions = versionNames().flatMap((name) => [
      `versions/${name}/openapi.json`,
      `versions/${name}/CHANGES.md`,
    ]);
    const expected = [...pages, ...ofVersions, "examples/tour.ts", "dist/index.js", "dist/index.d.ts"];
    expect(files).toEqual(expect.arrayContaining(expected));
    const known = [
      "dist/.+\\.(js|cjs|d\\.ts|d\\.cts)",
      "versions/[\\d-]+/(openapi\\.json|CHANGES\\.md)",
      "docs/([\\w-]+\\.md|images/.+\\.png)",
      "examples/(?!.*node_modules/).+",
      "[^/]+",
    ];
    expect(files.filter((file) => !known.some((path) => new RegExp(`^${path}$`).test(file)))).toEqual([]);
  });

  it("has no placeholder URLs in its manifest", () => {
    expect(JSON.stringify(manifest)).not.toMatch(/https?:|\.example/);
  });

  it("has no problems according to publint", () => {
    const { status, stdout } = spawnSync("publint", ["--strict", tarball], { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("All good!") });
  });

  it("resolves its types at every entry point", () => {
    const entries = entryPoints.map((entryPoint) => entryPoint.replace(/^\.\//, ""));
    const flags = ["--profile", "node16", "--format", "ascii", "--no-color", "--no-emoji"];
    const check = [...flags, tarball, "--entrypoints", ...entries];
    const { status, stdout } = spawnSync("attw", check, { encoding: "utf8" });
    expect(stdout.match(/^node16 \(from CJS\): OK \(CJS\)$/gm)).toHaveLength(entryPoints.length);
    expect(stdout.match(/^node16 \(from ESM\): OK \(ESM\)$/gm)).toHaveLength(entryPoints.length);
    expect(stdout.match(/^bundler: OK\s*$/gm)).toHaveLength(entryPoints.length);
    expect(status).toBe(0);
  });

  it("installs no other package", () => {
    expect(Object.keys(manifest)).not.toContain("dependencies");
    expect(Object.keys(manifest)).not.toContain("optionalDependencies");
    const peers = Object.keys(manifest.peerDependencies);
    expect(manifest.peerDependenciesMeta).toEqual(Object.fromEntries(peers.map((name) => [name, { optional: true }])));
  });
});

describe("a project with only the package", () => {
  let folder: string;
  beforeAll(() => {
    folder = project("alone");
  });

  it("CLI-1: has working clients without msw", () => {
    expectCalls(folder, "mock", "", "fetch: mock.fetch");
  });

  it("UPG-1: calls the mock from every version, with msw", () => {
    expectCalls(project("with-msw", `msw@${manifest.devDependencies.msw}`), "mock/node", "mock.listen();", "");
  });

  it.each(Object.keys(manifest.bin))("has the command %s", (command) => {
    const { status, stdout } = spawnSync("npx", ["--offline", command, "--help"], { cwd: folder, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(new RegExp(`^${command}: `)) });
  });

  it("gets an error that says what to install when it imports the mock that needs msw", () => {
    const { status, stderr } = run(folder, 'await import("@billing-service/sdk/mock/node");');
    expect(status).toBe(1);
    expect(stderr).toContain("This entry point requires MSW. Install it with `npm install --save-dev msw`, or use");
  });
});

/** Expects that the client of every version can call the mock of an entry point. */
function expectCalls(folder: string, entryPoint: string, listen: string, options: string): void {
  const { stdout, stderr } = run(
    folder,
    `import { createMock } from "@billing-service/sdk/${entryPoint}";
    const mock = createMock();
    ${listen}
    ${versionNames()
      .map((version) => callThrough(version, options))
      .join("\n")}
    process.exit();`,
  );
  expect(stderr).toBe("");
  expect(stdout.trim().split("\n")).toEqual(versionNames().map((version) => `${version} 1`));
}

/** A program that ingests an event through a version's client, and prints the version that answered and the count. */
function callThrough(version: string, options: string): string {
  return `{
    const { createClient } = await import("@billing-service/sdk/${version}");
    const accessToken = mock.issueToken({ type: "oat", scopes: ["events:write"] });
    const billing = createClient({ accessToken, logLevel: "off", ${options} });
    const events = [{ name: "api.call", external_customer_id: "someone" }];
    const { data, version } = await billing.events.ingest(events).withResponse();
    console.log(version, data.inserted);
  }`;
}
