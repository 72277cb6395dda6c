import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { entryPoints } from "../../scripts/entry-points.ts";
import { withPeer } from "./with-peer.ts";

/** The clients, and the checks that call a service through them. */
const hasClient = (name: string) => /^(versions\/[^/]+|conformance)\/index$/.test(name);

// In Node.js, the first use of Request, Response, Headers or FormData loads all of `fetch`, which takes most of an import. ky
// uses Request when it is imported, so what contains a client loads it; nothing else has to.
it.each(["js", "cjs"])("no entry point (.%s) loads fetch when it is imported, except with a client", (extension) => {
  const names = Object.keys(entryPoints()).filter((name) => !withPeer.includes(name) && !hasClient(name));
  const program = `
    for (const name of ${JSON.stringify(names)}) await import("./dist/" + name + ".${extension}");
    const hasFetch = () => process.moduleLoadList.some((name) => name.includes("undici/undici"));
    const before = hasFetch();
    globalThis.Request;
    console.log(before, hasFetch());`;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
  expect(output).toBe("false true\n");
});
