import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { end, root } from "./run.ts";

/** Resolves with the URL that a program prints. */
async function printedUrl(program: ChildProcess): Promise<string> {
  let output = "";
  for await (const text of program.stdout ?? []) {
    output += text;
    const [url] = /http:\/\/127\.0\.0\.1:\d+(?=\n)/.exec(output) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`No URL was printed:\n${output}`);
}

it("npm run mock serves the mock and its inspector, and Ctrl+C stops it", async () => {
  // A process group of its own, to which a terminal would send Ctrl+C.
  const mock = spawn("npm", ["run", "mock", "--", "--port", "0"], { cwd: root, detached: true });
  const group = -(mock.pid ?? Number.NaN);
  let stopped = false;
  onTestFinished(() => void (stopped || process.kill(group, "SIGKILL")));
  const url = await printedUrl(mock);
  expect((await fetch(`${url}/__mock/`, { headers: { accept: "text/html" } })).headers.get("content-type")).toContain(
    "text/html",
  );
  process.kill(group, "SIGINT");
  await once(mock, "exit");
  await expect.poll(() => fetch(url).catch(({ message }) => message)).toBe("fetch failed");
  stopped = true;
});

it("the example suite of Vitest passes in the clone", () => {
  const { status, stdout, stderr } = end("npx", ["vitest", "run", "--root", "examples/vitest"], { NO_COLOR: "1" });
  expect({ status, stderr }, stdout).toMatchObject({ status: 0 });
  expect(stdout).toMatch(/Tests\s+4 passed \(4\)/);
});
