import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { workers } from "../../scripts/entry-points.ts";
import { serveMock } from "../support/serve-mock.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Compiles connectMock and its worker like the package, and keeps the names of functions. */
async function compile(outdir: string, entryPoints: Record<string, string>): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    bundle: true,
    keepNames: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "silent",
  });
  symlinkSync(join(root, "node_modules"), join(outdir, "node_modules"));
}

/** A program that calls the server and receives a delivery. */
const program = (url: string) => `
  import { connectMock } from "./mock/connect.js";
  const mock = connectMock(${JSON.stringify(url)});
  const { events } = mock.webhookEndpoints.create({ url: "https://shop.example/hooks" });
  mock.webhooks.receive("https://shop.example/hooks", () => new Response(null, { status: 204 }));
  mock.webhooks.emit(events[0], {});
  await mock.webhooks.idle();
  console.log(mock.webhooks.deliveries.list()[0].response_status);
`;

function folder(): string {
  const created = mkdtempSync(join(tmpdir(), "keep-names-"));
  onTestFinished(() => rmSync(created, { recursive: true }));
  writeFileSync(join(created, "package.json"), '{ "type": "module" }');
  return created;
}

test("connectMock works when it is compiled with keepNames", async () => {
  const { url, close } = await serveMock();
  onTestFinished(close);
  const work = folder();
  await compile(work, { "mock/connect": "mock/connect.ts", ...workers() });
  writeFileSync(join(work, "program.js"), program(url));
  const { stdout } = await run(process.execPath, ["program.js"], { cwd: work });
  expect(stdout).toBe("204\n");
});

test("a bundle without the worker's file fails at once and says how to bundle", async () => {
  const work = folder();
  await compile(work, { "mock/connect": "mock/connect.ts" });
  writeFileSync(join(work, "program.js"), program("http://127.0.0.1:1"));
  await expect(run(process.execPath, ["program.js"], { cwd: work })).rejects.toThrow(
    "When you bundle your code, keep @billing-service/sdk external.",
  );
});
