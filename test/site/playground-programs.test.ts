import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { siteVersions } from "../../site/versions.ts";
import { describeInChromium } from "../browser/chromium.ts";
import { playgroundLinks } from "./playground-links.ts";
import { announced, click, editor, result, run, startPlayground } from "./playground-page.ts";

const [current, next] = siteVersions().map(({ name }) => name) as [string, string];

describeInChromium("programs in the playground", (openPage) => {
  const { openPlayground } = startPlayground(openPage);

  it("runs a program, and shows its output and its requests", async () => {
    const page = await openPlayground({ panel: "code", operation: "events.ingest" });
    await click(page, "Run the program");
    await announced(page, "The program finished.");
    expect(await result(page).innerText()).toMatch(/"inserted": 1.*POST \/v1\/events\/ingest/s);
    await page.getByRole("combobox", { name: "API version" }).selectOption(next);
    expect(await editor(page, "Program").innerText()).toContain(`sdk/${next}`);
    await click(page, "Run the program");
    await expect.poll(() => result(page).innerText()).toContain(`processed by ${next}`);
  });

  it("shows errors of a program with their line", async () => {
    const page = await openPlayground({ panel: "code" });
    const sdk = `import { createClient } from "@billing-service/sdk/${current}";`;
    const forbidden = `${sdk}\nconst billing = createClient({ accessToken: "unknown" });\nawait billing.products.list();`;
    expect(await run(page, forbidden)).toMatch(/Line 3: ApiError: products:list: 401/);
    expect(await run(page, "const a = 1;\nconst = 2;")).toMatch(/Line 2: SyntaxError/);
    expect(await run(page, '\nimport "vitest";')).toMatch(
      /Line 2: ImportError: .*"vitest".*@billing-service\/sdk\/mock/,
    );
    expect(await run(page, sdk.replace("createClient", "create"))).toMatch(
      /SyntaxError: .*'@billing-service\/sdk\/.*'create'/,
    );
    expect(await run(page, "setTimeout(() => {\n missing();\n});\nawait new Promise(() => {});")).toMatch(
      /Line 2: Ref/,
    );
    expect(await run(page, "for (let i = 0; i < 2000; i++) console.log(i);")).toMatch(/499\nOnly the first 500 lines/);
  });

  it("stops an endless loop, and the page stays usable", async () => {
    const page = await openPlayground({ panel: "code" });
    await editor(page, "Program").fill('console.log("started");\nwhile (true);');
    await click(page, "Run the program");
    await expect.poll(() => result(page).innerText()).toContain("started");
    await click(page, "Stop");
    await announced(page, "The program was stopped.");
    expect(await run(page, 'console.log("again");')).toContain("again");
  });

  it("stops a program after 10 seconds", async () => {
    const page = await openPlayground({ panel: "code", code: 'console.log("started");\nwhile (true);' });
    await page.clock.install();
    await click(page, "Run the program");
    await expect.poll(() => result(page).innerText()).toContain("started");
    await page.clock.fastForward(10_000);
    await announced(page, "The program was stopped after 10 seconds.");
  });

  it("keeps programs inside the browser", async () => {
    const page = await openPlayground({ panel: "code" });
    const reached: string[] = [];
    const server = createServer((request, response) => {
      reached.push(String(request.url));
      response.setHeader("Access-Control-Allow-Origin", "*").end("");
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const attempts = [
      `new Promise((resolve, reject) => Object.assign(new WebSocket("ws://${host}/"), { onopen: resolve, onerror: reject }))`,
      `new Promise((resolve, reject) => {
        const request = Object.assign(new XMLHttpRequest(), { onload: resolve, onerror: reject });
        request.open("GET", "http://${host}/");
        request.send();
      })`,
      `import("http://" + "${host}/module.js")`,
      `(async () => importScripts("http://${host}/script.js"))()`,
    ];
    const code = `const attempts = [${attempts.map((attempt) => `() => ${attempt}`).join(", ")}];
for (const attempt of attempts) console.log(await attempt().then(() => "reached", () => "blocked"));`;
    expect(await run(page, code)).toMatch(/^(?:blocked\s+){4}The program finished\.$/);
    expect(reached).toEqual([]);
  });

  it("runs every program that the documentation links to", async () => {
    const page = await openPlayground();
    const links = playgroundLinks();
    expect(links.length).toBeGreaterThan(10);
    for (const link of links) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, link);
      expect([link, await page.getByRole("alert").count()]).toEqual([link, 0]);
      if (await page.getByRole("button", { name: "Run the program" }).isHidden()) continue;
      await click(page, "Run the program");
      await expect.poll(() => result(page).innerText(), { message: link }).toContain("The program finished.");
    }
  });
});
