import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { entryPoints } from "../../scripts/entry-points.ts";
import { withPeer } from "./with-peer.ts";

const run = promisify(execFile);

const names = Object.keys(entryPoints());

/** Runs a CommonJS program in a process, and returns its output. */
async function output(program: string, ...flags: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [...flags, "--input-type=commonjs", "--eval", program]);
  return stdout;
}

describe("in a CommonJS program", () => {
  it("every entry point without a peer loads where `require` cannot load ES modules", async () => {
    const alone = names.filter((name) => !withPeer.includes(name));
    const program = `for (const name of ${JSON.stringify(alone)}) require("./dist/" + name + ".cjs"); console.log("loaded");`;
    expect(await output(program, "--no-experimental-require-module")).toBe("loaded\n");
  });

  it("the mock for Node.js intercepts requests", async () => {
    const program = `
      const { createMock } = require("@billing-service/sdk/mock/node");
      const { createClient } = require("@billing-service/sdk/2025-01");
      const mock = createMock();
      mock.listen();
      createClient({ accessToken: mock.issueToken() }).products.list().then(({ items }) => {
        console.log(items.length);
        mock.close();
      });
    `;
    expect(await output(program)).toBe("0\n");
  });

  it("the mock for Node.js says what to use where `require` cannot load MSW", () => {
    const flags = ["--no-experimental-require-module", "--eval", 'require("./dist/mock/node.cjs")'];
    const { status, stderr } = spawnSync(process.execPath, flags, { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain("or use @billing-service/sdk/mock, which does not need MSW.");
  });

  it("the server serves the inspector", async () => {
    const program = `
      const { startServer } = require("@billing-service/sdk/mock/server");
      startServer().then(async (server) => {
        const page = await fetch(server.url + "/__mock/", { headers: { accept: "text/html" } });
        console.log(page.status, page.headers.get("content-type"));
        await server.close();
      });
    `;
    expect(await output(program)).toBe("200 text/html; charset=utf-8\n");
  });
});
