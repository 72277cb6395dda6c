import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect, it } from "vitest";

const entry = resolve("dist/mock/server.js");

/** Returns the text of a file and of every file that it imports statically. */
function loadedWith(file: string, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(file)) return seen;
  const text = readFileSync(file, "utf8");
  seen.set(file, text);
  for (const [, path] of text.matchAll(/(?:from|^import) ?["'](\.[^"']+)["']/gm)) {
    loadedWith(resolve(dirname(file), path as string), seen);
  }
  return seen;
}

it("the package contains the bundled inspector in a file that is loaded on the first visit", async () => {
  const loaded = [...loadedWith(entry).values()];
  expect(loaded.length).toBeGreaterThan(1);
  expect(loaded.filter((text) => text.includes("<title>Billing mock"))).toEqual([]);
  const { startServer } = (await import(entry)) as typeof import("../../mock/server.ts");
  const server = await startServer();
  const response = await fetch(`${server.url}/__mock/`, { headers: { Accept: "text/html" } });
  const page = await response.text();
  await server.close();
  expect(response.headers.get("content-security-policy")).toContain("script-src 'sha256-");
  expect(page).toMatch(/<script type="module">.{20000}/);
  expect(page.length).toBeLessThan(80_000);
});
