import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { versionNames } from "../../scripts/entry-points.ts";
import { newFolder } from "../support/new-folder.ts";
import { filesIn } from "../support/packed.ts";

const npm = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
const tarball = inject("tarball");

/** The entry points that a program can import. */
const entryPoints = Object.keys(manifest.exports).filter((entryPoint) => !entryPoint.endsWith(".json"));

describe("the tarball", () => {
  it("contains the build, the documents, the examples and the license, and no sources", () => {
    const files = filesIn(tarball);
    const pages = ["LICENSE", "README.md", ".github/SECURITY.md", "dist/THIRD-PARTY-NOTICES.md", "docs/testing.md"];
    const others = ["examples/tour.ts", "dist/index.js", "dist/index.d.ts"];
    const ofVersions = versionNames().map((name) => [`versions/${name}/openapi.json`, `versions/${name}/CHANGES.md`]);
    expect(files).toEqual(expect.arrayContaining([...pages, ...others, ...ofVersions.flat()]));
    const known = [
      "dist/(.+\\.(js|cjs|d\\.ts|d\\.cts)|THIRD-PARTY-NOTICES\\.md)",
      "versions/[\\d-]+/(openapi\\.json|CHANGES\\.md)",
      "docs/([\\w-]+\\.md|images/.+\\.png)",
      "examples/(?!.*node_modules/).+",
      "\\.github/SECURITY\\.md",
      "[^/]+",
    ];
    expect(files.filter((file) => !known.some((path) => new RegExp(`^${path}$`).test(file)))).toEqual([]);
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
    for (const resolution of ["node16 (from CJS): OK (CJS)", "node16 (from ESM): OK (ESM)", "bundler: OK"]) {
      const resolved = stdout.split("\n").filter((line) => line.trimEnd() === resolution);
      expect(resolved, resolution).toHaveLength(entryPoints.length);
    }
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
  const folder = newFolder(afterAll);
  beforeAll(() => {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    execFileSync("npm", ["install", ...npm, tarball], { cwd: folder, stdio: "pipe" });
  });

  /** Runs a program in the project, and returns its output. */
  function run(program: string) {
    writeFileSync(join(folder, "program.js"), program);
    return spawnSync(process.execPath, ["program.js"], { cwd: folder, encoding: "utf8" });
  }

  it.each(versionNames())("CLI-1, UPG-1: has a working client of %s without msw", (version) => {
    const { stdout, stderr } = run(`
      import { createMock } from "@billing-service/sdk/mock";
      import { createClient } from "@billing-service/sdk/${version}";
      const mock = createMock();
      const billing = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch, logLevel: "off" });
      const events = [{ name: "api.call", external_customer_id: "someone" }];
      const { data, version } = await billing.events.ingest(events).withResponse();
      console.log(version, data.inserted);
    `);
    expect({ stdout, stderr }).toEqual({ stdout: `${version} 1\n`, stderr: "" });
  });

  it.each(Object.keys(manifest.bin))("has the command %s", (command) => {
    const { status, stdout } = spawnSync("npx", ["--offline", command, "--help"], { cwd: folder, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(new RegExp(`^${command}: `)) });
  });
});
