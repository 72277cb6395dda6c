import { createRequire } from "node:module";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type MockServer, startServer } from "../../mock/server.ts";
import { matrixModules } from "../../scripts/install.ts";
import { describeInChromium } from "../browser/chromium.ts";
import { serve } from "../browser/site.ts";
import { arrange, type Target } from "../matrix-programs/calls.ts";
import { bundleWithVite, compile, createConsumer } from "./consumer.ts";
import { describeMatrix } from "./describe-matrix.ts";
import { expectedReport } from "./expected.ts";

/** A text that only the mock contains. */
const ONLY_IN_MOCK = "The access token was revoked.";

/** Matches an import or a `require` of any module. */
const IMPORT = /(?:\bfrom\s*|\bimport[\s(]*|\brequire\()["'`][^"'`]*["'`]/g;

describeMatrix("a bundle of the tarball", () => {
  let folder: string;
  let server: MockServer;
  let target: Target;
  let bundles: Readonly<Record<"client-page" | "page" | "worker", string>>;

  beforeAll(async () => {
    folder = createConsumer();
    const bundle = async (program: string) => bundleWithVite(folder, await compile(folder, program, "esm"));
    bundles = {
      "client-page": await bundle("client-page"),
      page: await bundle("page"),
      worker: await bundle("worker"),
    };
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
    expect(Object.values(bundles).map((text) => text.includes(ONLY_IN_MOCK))).toEqual([false, true, true]);
    expect(Object.values(bundles).map((text) => text.match(IMPORT))).toEqual([null, null, null]);
  });

  describeInChromium("in Chromium", (openPage) => {
    it("runs", async () => {
      prepare();
      const html = `<!doctype html><script>target = ${JSON.stringify(target)}</script><script type="module" src="/app.js"></script>`;
      await using site = await serve({ "/": ["text/html", html], "/app.js": ["text/javascript", bundles.page] });
      const page = await openPage();
      await page.goto(site.url);
      expect(await page.evaluate(() => window.report)).toEqual(expectedReport);
    });
  });

  it("runs in a worker", async () => {
    prepare();
    const { Miniflare } = createRequire(matrixModules)("miniflare");
    const worker = new Miniflare({
      modules: true,
      script: bundles.worker,
      compatibilityDate: "2025-01-01",
      bindings: { ...target },
    });
    const response = await fetch(await worker.ready);
    expect(await response.json()).toEqual(expectedReport);
    await worker.dispose();
  });
});
