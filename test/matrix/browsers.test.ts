import { createRequire } from "node:module";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { startServer } from "../../mock/server.ts";
import { matrixModules } from "../../scripts/install.ts";
import { describeInChromium } from "../browser/chromium.ts";
import { serve } from "../browser/site.ts";
import { arrange, type Target } from "../matrix-programs/calls.ts";
import { bundleWithVite, compile, createConsumer } from "./consumer.ts";
import { describeMatrix } from "./describe-matrix.ts";
import { expectedReport } from "./expected.ts";

describeMatrix("a bundle of the tarball", () => {
  let folder: string;
  beforeAll(() => {
    folder = createConsumer();
  });
  const bundle = async (program: string) => bundleWithVite(folder, await compile(folder, program, "esm"));

  /** Starts a server that a program calls. */
  const target = async (): Promise<Target> => {
    const server = await startServer({ assumptions: { cors: "*" } });
    onTestFinished(() => server.close({ grace: 0 }));
    arrange(server.mock);
    return { baseUrl: server.url, accessToken: server.mock.issueToken() };
  };

  describeInChromium("in Chromium", (openPage) => {
    it("runs", async () => {
      const global = `<script>target = ${JSON.stringify(await target())}</script>`;
      const html = `<!doctype html>${global}<script type="module" src="/app.js"></script>`;
      await using site = await serve({
        "/": ["text/html", html],
        "/app.js": ["text/javascript", await bundle("page")],
      });
      const page = await openPage();
      await page.goto(site.url);
      expect(await page.evaluate(() => window.report)).toEqual(expectedReport);
    });
  });

  it("runs in a worker", async () => {
    const { Miniflare } = createRequire(matrixModules)("miniflare");
    const options = { modules: true, compatibilityDate: "2025-01-01", bindings: { ...(await target()) } };
    const worker = new Miniflare({ ...options, script: await bundle("worker") });
    const response = await fetch(await worker.ready);
    expect(await response.json()).toEqual(expectedReport);
    await worker.dispose();
  });
});
