import { createRequire } from "node:module";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type MockServer, startServer } from "../../mock/server.ts";
import { matrixModules } from "../../scripts/install.ts";
import { describeInChromium } from "../browser/chromium.ts";
import { serve } from "../browser/site.ts";
import { arrange } from "../matrix-programs/arrange.ts";
import type { Target } from "../matrix-programs/calls.ts";
import { bundleForWorker, bundleWithVite, compile, createConsumer } from "./consumer.ts";
import { describeMatrix } from "./describe-matrix.ts";
import { expectedCalls, expectedReport } from "./expected.ts";

/** A text that only the mock contains. */
const ONLY_IN_MOCK = "The access token was revoked.";

/** Matches an import or a `require` of any module. */
const IMPORT = /(?:\bfrom\s*|\bimport[\s(]*|\brequire\()["'`][^"'`]*["'`]/g;

describeMatrix("a bundle of the tarball", () => {
  let folder: string;
  let server: MockServer;
  let target: Target;
  const bundles = { client: "", everything: "" };

  beforeAll(async () => {
    folder = createConsumer();
    for (const program of ["page", "client-page", "worker"]) await compile(folder, program, "esm");
    bundles.everything = await bundleWithVite(folder, "page.mjs");
    bundles.client = await bundleWithVite(folder, "client-page.mjs");
    server = await startServer({ assumptions: { cors: "*" } });
  });
  afterAll(() => server.close({ grace: 0 }));

  /** Gives the next program a server in its initial state. */
  const prepare = () => {
    server.mock.reset();
    arrange(server.mock);
    target = { baseUrl: server.url, accessToken: server.mock.issueToken() };
  };

  it("contains the mock only if imported, and nothing of Node.js", () => {
    const { everything, client } = bundles;
    expect([everything, client].map((text) => text.includes(ONLY_IN_MOCK))).toEqual([true, false]);
    expect([everything, client].map((text) => text.match(IMPORT))).toEqual([null, null]);
  });

  describeInChromium("in Chromium", (openPage) => {
    it.each([
      ["client", expectedCalls],
      ["everything", expectedReport],
    ] as const)("runs: %s", async (program, expected) => {
      prepare();
      const html = `<!doctype html><script>target = ${JSON.stringify(target)}</script><script type="module" src="/app.js"></script>`;
      const script = bundles[program];
      await using site = await serve({ "/": ["text/html", html], "/app.js": ["text/javascript", script] });
      const page = await openPage();
      await page.goto(site.url);
      expect(await page.evaluate(() => window.report)).toEqual(expected);
    });
  });

  it("runs in a worker", async () => {
    prepare();
    const script = await bundleForWorker(folder, "worker.mjs");
    const { Miniflare } = createRequire(matrixModules)("miniflare");
    const worker = new Miniflare({ modules: true, script, compatibilityDate: "2025-01-01", bindings: { ...target } });
    const response = await fetch(await worker.ready);
    expect(await response.json()).toEqual(expectedReport);
    await worker.dispose();
  });
});
