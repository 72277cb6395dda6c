import { expect, it } from "vitest";
import { siteVersions } from "../../site/versions.ts";
import { describeInChromium } from "../browser/chromium.ts";
import { startLocalServer } from "../support/local-server.ts";
import { pageUrls, readSite } from "./built-site.ts";
import { click, editor, run, select, shows, startPlayground } from "./playground-page.ts";

const [current, next] = siteVersions().map(({ name }) => name) as [string, string];
const sdk = `import { createClient } from "@billing-service/sdk/${current}";`;

/** Returns the contents of all links to the playground. A program that only begins another one is left out. */
function playgroundLinks(): readonly string[] {
  const links = pageUrls().flatMap((url) => [...readSite(url).matchAll(/playground\/#([^"]+)"/g)]);
  const unique = [...new Set(links.map(([, fragment]) => (fragment ?? "").replaceAll("&amp;", "&")))];
  return unique.filter((link) => !unique.some((other) => other !== link && other.startsWith(link)));
}

const withoutSpace = (text: string) => text.replaceAll(/\s+/g, "");

describeInChromium("programs in the playground", (openPage) => {
  const { openPlayground } = startPlayground(openPage);

  it("runs a program, and shows its output and its requests", async () => {
    const page = await openPlayground({ panel: "code", operation: "events.ingest" });
    await click(page, "Run");
    await shows(page, /inserted: 1[\s\S]*POST \/v1\/events\/ingest/);
    await select(page, "Version").selectOption(next);
    await expect.poll(() => editor(page, "Program").innerText()).toContain(`sdk/${next}`);
    await click(page, "Run");
    await shows(page, `processed by ${next}`);
  });

  it("stores the events of an example and of a preset, which the page has already sent", async () => {
    const page = await openPlayground();
    await shows(page, /200[\s\S]*"inserted": 1/);
    await page.getByRole("tab", { name: "Code" }).click();
    await click(page, "Run");
    await shows(page, "{ inserted: 1, duplicates: 0 }");
    await page.getByRole("tab", { name: "Request" }).click();
    await click(page, "Duplicate");
    await shows(page, /2 events stored, 1 duplicate skipped/);
    await page.getByRole("tab", { name: "Code" }).click();
    await click(page, "Run");
    await shows(page, "{ inserted: 2, duplicates: 1 }");
  });

  it("describes this page's mock only to programs that do not create their own", async () => {
    const page = await openPlayground({ panel: "code" });
    const own = page.getByText("This program creates its own mock");
    const shared = page.getByText("calls the mock in this page");
    await shared.waitFor();
    await editor(page, "Program").fill("const mock = createMock();");
    await own.waitFor();
    expect(await shared.count()).toBe(0);
  });

  it("keeps an edited program when the version changes, and names the version that it imports", async () => {
    const page = await openPlayground({ panel: "code", code: `${sdk}\nconsole.log(1);` });
    await select(page, "Version").selectOption(next);
    await expect.poll(() => editor(page, "Program").innerText()).toContain(`sdk/${current}`);
    await page.getByText(`This program imports ${current}.`).waitFor();
  });

  it("sends relative requests to the mock, and passes its address", async () => {
    const code = `const authorization = \`Bearer \${process.env.BILLING_TOKEN}\`;
for (const url of ["/v1/products/", \`\${process.env.BILLING_URL}/v1/products/\`]) {
  const response = await fetch(url, { headers: { authorization, "X-Test": "a" } });
  console.log(response, new Headers({ a: "b" }));
}`;
    const printed = await run(await openPlayground({ panel: "code", operation: "products.list" }), code);
    expect(printed).toMatch(
      /(?:Response \{\s+status: 200,\s+ok: true,\s+headers: Headers \{[\s\S]*?Headers \{ a: 'b' \}\s*){2}$/,
    );
  });

  it("clears, prints groups and tables, and survives values that throw and are long", async () => {
    const code = `console.log("cleared");
console.clear();
console.groupCollapsed("group");
console.log("inner\\nline");
console.groupEnd();
console.table([{ id: 1, name: "pro" }, { id: 20 }]);
console.log(new Proxy({}, { get() { throw new Error("hostile"); }, ownKeys() { throw new Error("hostile"); } }), new Proxy(new Headers(), { get() { throw 1; } }));
console.log("x".repeat(3e7));`;
    const printed = await run(await openPlayground({ panel: "code" }), code);
    for (const expected of [
      /^group\s+ {2}inner\n {2}line\n/,
      /\(index\) {2}id {2}name *\n0 {8}1 {3}'pro'\n1 {8}20/,
      /x… 29990000 more characters are not shown\./,
    ])
      expect(printed).toMatch(expected);
    expect(printed.length).toBeLessThan(12_000);
  });

  it("runs TypeScript, and prints what a console prints", async () => {
    const page = await openPlayground({ panel: "code" });
    const code = `interface Plan { readonly name: string; price?: number }
const plan = { name: "pro", nested: { deep: { deeper: [1, { n: 2n }] } } } satisfies Plan;
console.log("%s has %d", plan.name, 2 as number, plan);
console.warn(new TypeError("typed", { cause: "x" })!);
setTimeout(() => console.log("later"), 100);
enum Kind { One = 1 }
console.log(Kind.One);`;
    const printed = await run(page, code);
    expect(printed).toContain(
      "pro has 2 {\n  name: 'pro',\n  nested: {\n    deep: { deeper: [ 1, { n: 2n } ] }\n  }\n}",
    );
    expect(printed).toMatch(/TypeError: typed\s+at .*program\.ts:4[\s\S]*\s1\s+later/);
  });

  it("shows each error with its line", async () => {
    const errors: readonly (readonly [code: string, expected: RegExp])[] = [
      [
        `${sdk}\nconst billing = createClient({ accessToken: "unknown" });\nawait billing.products.list();`,
        /Line 3: ApiError: products:list: 401/,
      ],
      ["const a = 1;\nconst = 2;", /Line 2: SyntaxError/],
      ['\nimport "vitest";', /Line 2: .*"vitest"[\s\S]*@billing-service\/sdk\/mock/],
      ["setTimeout(() => {\n missing();\n});\nawait new Promise(() => {});", /Line 2: Reference/],
      ["for (let i = 0; i < 2000; i++) console.log(i);", /499\s+Only the first 500 lines/],
    ];
    const page = await openPlayground({ panel: "code" });
    for (const [code, expected] of errors) expect(await run(page, code)).toMatch(expected);
  });

  it("stops an endless loop on request and after 10 seconds, and the page stays usable", async () => {
    const page = await openPlayground({ panel: "code", code: 'console.log("started");\nwhile (true);' });
    await click(page, "Run");
    await shows(page, "started");
    await click(page, "Stop");
    await shows(page, "The program was stopped.");
    await page.clock.install();
    await click(page, "Run");
    await shows(page, "started");
    await page.clock.fastForward(10_000);
    await shows(page, "The program was stopped after 10 seconds.");
    await page.clock.resume();
    expect(await run(page, 'console.log("again");')).toContain("again");
  });

  it("keeps programs inside the browser, and names the host of a blocked request", async () => {
    const page = await openPlayground({ panel: "code" });
    const reached: string[] = [];
    const { port } = await startLocalServer((request, response) => {
      reached.push(String(request.url));
      response.setHeader("Access-Control-Allow-Origin", "*").end("");
    });
    const host = `127.0.0.1:${port}`;
    const attempts = [
      `fetch("http://${host}/")`,
      `new Promise((resolve, reject) => Object.assign(new WebSocket("ws://${host}/"), { onopen: resolve, onerror: reject }))`,
      `new Promise((resolve, reject) => {
        const request = Object.assign(new XMLHttpRequest(), { onload: resolve, onerror: reject });
        request.open("GET", "http://${host}/");
        request.send();
      })`,
      `(async () => importScripts("http://${host}/script.js"))()`,
      `(async () => new Worker("http://${host}/worker.js"))()`,
      `(async () => { delete globalThis.fetch; await fetch("http://${host}/deleted"); })()`,
      `(async () => eval("import")("http://${host}/module.js"))()`,
    ];
    const code = `const attempts = [${attempts.map((attempt) => `() => ${attempt}`).join(", ")}];
for (const attempt of attempts) console.log(await attempt().then(() => "reached", () => "blocked"));`;
    const printed = await run(page, code);
    const notice = `The request to ${host} was blocked: programs here send requests only to the mock.`;
    expect(printed.replaceAll(notice, "").replaceAll(/\s+/g, " ")).toMatch(/^(?:blocked ?){7}$/);
    // A WebSocket, an XMLHttpRequest, a script, and the browser's fetch; the page answers the first request.
    expect(printed.split(notice).length - 1).toBeGreaterThanOrEqual(4);
    expect(reached).toEqual([]);
    await shows(page, `${host} is not the mock: nothing was sent`);
  });

  it("keeps programs away from what the site stores", async () => {
    const code =
      "console.log(typeof indexedDB, typeof caches, typeof BroadcastChannel, navigator.storage, typeof Worker);";
    expect(await run(await openPlayground({ panel: "code" }), code)).toMatch(/^(?:undefined\s*){5}$/);
  });

  it("runs every program that the documentation links to", async () => {
    const page = await openPlayground();
    const links = playgroundLinks();
    expect(links.length).toBeGreaterThan(10);
    const status = page.locator(".pg [role=status]");
    const selected = () =>
      page.locator(".pg select").evaluateAll((all) => all.map((each) => (each as HTMLSelectElement).value));
    for (const link of links) {
      await page.evaluate((fragment) => location.assign(`#${fragment}`), link);
      const [, code] = /\bcode=~([^&]+)/.exec(link) ?? [];
      const program = withoutSpace(Buffer.from(code ?? "", "base64url").toString());
      // The editor contains the lines in sight.
      const isProgramShown = async () => {
        const shown = withoutSpace(await editor(page, "Program").innerText());
        return shown !== "" && program.startsWith(shown);
      };
      const choices = [...link.matchAll(/\b(?:version|operation|event)=([^&]+)/g)].map(([, choice = ""]) => choice);
      const areSelected = async () => {
        const all = await selected();
        return choices.length > 0 && choices.every((choice) => all.includes(choice));
      };
      const isOpen = code ? isProgramShown : areSelected;
      await expect.poll(isOpen, { message: link }).toBe(true);
      expect([link, await page.getByRole("alert").count()]).toEqual([link, 0]);
      if (await page.getByRole("button", { name: "Run" }).isHidden()) continue;
      // What the program before ended with.
      await status.evaluate(({ firstChild }) => ((firstChild as Text).data = ""));
      await click(page, "Run");
      await expect.poll(() => status.innerText(), { message: link }).toBe("The program finished.");
    }
  });
});
