import { expect, it, onTestFinished } from "vitest";
import { end, served } from "../support/pages/served.ts";

it.each([
  ["npm run mock --", "Ctrl+C, which a terminal sends to the whole process group,", "SIGINT", -1],
  ["npm run mock --", "SIGTERM to npm, which passes it only to a shell,", "SIGTERM", 1],
  ["npx --no-install billing mock", "SIGTERM to npx, which passes it only to a shell,", "SIGTERM", 1],
] as const)("%s serves the mock and its inspector; %s stops it", async (command, _, signal, sign) => {
  const server = await served(`exec ${command} --port 0`, process.cwd());
  let stopped = false;
  onTestFinished(() => void (stopped || end(server)));
  const page = await fetch(`${server.url}/__mock/`, { headers: { accept: "text/html" } });
  expect(page.headers.get("content-type")).toContain("text/html");
  process.kill(sign * (server.process.pid ?? Number.NaN), signal);
  await expect.poll(() => fetch(server.url).catch(({ message }) => message)).toBe("fetch failed");
  stopped = true;
});
