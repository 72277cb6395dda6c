import { type ChildProcess, spawn } from "node:child_process";
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

it.each([
  ["Ctrl+C, which a terminal sends to the whole process group,", "SIGINT", -1],
  ["SIGTERM to npm, which passes it only to a shell,", "SIGTERM", 1],
] as const)("npm run mock serves the mock and its inspector; %s stops it", async (_, signal, sign) => {
  const mock = spawn("npm", ["run", "mock", "--", "--port", "0"], { cwd: root, detached: true });
  const pid = mock.pid ?? Number.NaN;
  let stopped = false;
  onTestFinished(() => void (stopped || process.kill(-pid, "SIGKILL")));
  const url = await printedUrl(mock);
  const page = await fetch(`${url}/__mock/`, { headers: { accept: "text/html" } });
  expect(page.headers.get("content-type")).toContain("text/html");
  process.kill(sign * pid, signal);
  await expect.poll(() => fetch(url).catch(({ message }) => message)).toBe("fetch failed");
  stopped = true;
});

it("the example suite of Vitest passes in the clone", () => {
  const { status, stdout, stderr } = end("npx", ["vitest", "run", "--root", "examples/vitest"], { NO_COLOR: "1" });
  expect({ status, stderr }, stdout).toMatchObject({ status: 0 });
  expect(stdout).toMatch(/Tests\s+4 passed \(4\)/);
});
