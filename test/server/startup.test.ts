import { expect, test } from "vitest";
import { run } from "../support/program.ts";

const server = new URL("../../mock/server.ts", import.meta.url);

test("a server and its control API load no Web Crypto, which takes a tenth of the startup time", async () => {
  const { output } = await run(`
    const { startServer } = await import(${JSON.stringify(server.href)});
    const isLoaded = () => process.moduleLoadList.some((name) => name.endsWith("crypto/webcrypto"));
    const server = await startServer();
    const before = isLoaded();
    await (await fetch(server.url + "/__mock/changes")).text();
    console.log(before, isLoaded());
    process.exit();
  `);
  expect(output).toContain("false false");
}, 30_000);
