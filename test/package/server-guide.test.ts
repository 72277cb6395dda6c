import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { billingMock, fileWith } from "../support/command.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const guide = readFileSync(`${root}docs/server.md`, "utf8");
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(([, code]) => code as string);

const built = `${root}dist/mock/cli.js`;

test("the guide to the server, as it stands: its command, its seed file, its curl lines, its program", async () => {
  const [command, ...lines] = blocks("sh").flatMap((block) => block.trim().split("\n")) as [string, ...string[]];
  const file = fileWith(blocks("json")[0] as string);
  const [, , ...args] = command.replace("--port 4010", "--port 0").replace("seed.json", file).split(" ");
  const running = billingMock([...args, "--json"], {}, built);
  const { url } = JSON.parse(await running.printed(/\n/)) as { readonly url: string };
  const there = (text: string) => text.replaceAll("http://127.0.0.1:4010", url);

  const answers: string[] = [];
  for (const line of lines) {
    const { stdout } = await run("sh", ["-c", there(line.replace("curl", "curl --fail-with-body"))]);
    answers.push(stdout);
  }
  expect(lines).toHaveLength(8);
  expect(answers[0]).toContain('"name":"Bread"');
  expect(answers[1]).toMatch(/"billing_pat_/);
  expect(answers[2]).toMatch(/"operation":"events:ingest".*"struck":0/);
  expect(answers[3]).toContain('"type":"order.paid"');
  expect(answers[7]).toContain('"kind":"reset"');

  const program = blocks("ts").find((code) => code.includes("connectMock")) as string;
  const flags = ["--input-type=module-typescript", "--eval", there(program)];
  const { stdout } = await run(process.execPath, flags, { cwd: root });
  expect(stdout).toBe("1 1\n");
});
