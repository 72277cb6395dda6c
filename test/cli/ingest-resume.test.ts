import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { MockServer } from "../../mock/server.ts";
import { started } from "../support/started-server.ts";
import { events, ingest, startIngest, storedNumbers, type UsageFile, usageFile } from "./ingest-support.ts";

const COUNT = 40_000;
const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);

/** Waits until the progress of a file has passed a line. */
async function passed({ progress }: UsageFile, line: number): Promise<void> {
  while (!existsSync(progress) || JSON.parse(readFileSync(progress, "utf8")).line <= line) await sleep(5);
}

/** Returns the file's lines, of which every hundredth is invalid. */
function withInvalid(): string[] {
  return events(COUNT).map((line, index) => (index % 100 === 0 ? `{"name":"bad ${index + 1}"}` : line));
}

/** A slow mock, so that a run takes long enough to be killed. */
function slow(): Promise<MockServer> {
  return started({ latency: [10, 40] });
}

test("kill -9, again and again: each event is stored once, and each invalid line is rejected once", {
  timeout: 120_000,
}, async () => {
  const server = await slow();
  const file = usageFile(withInvalid().join("\n"));
  for (const line of [5_000, 15_000, 25_000]) {
    const running = startIngest(server, [file.path]);
    await passed(file, line);
    running.process.kill("SIGKILL");
    await running.ended;
  }
  const { stdout, code } = await ingest(server, [file.path, "--json"]);
  const report = JSON.parse(stdout);
  expect(code).toBe(3);
  expect(report.resumed_after_line).toBeGreaterThan(25_000);
  expect(report.inserted + report.duplicates).toBeLessThan(COUNT / 2);
  expect(report.rejected).toBeLessThan(COUNT / 200);
  const valid = numbers.filter((number) => number % 100 !== 1);
  expect(storedNumbers(server)).toEqual(valid);
  const rejected = (file.readRejected() ?? []).map(({ line }) => line).sort((a, b) => a - b);
  expect(rejected).toEqual(numbers.filter((number) => number % 100 === 1));
  expect(existsSync(file.progress)).toBe(false);
});

test("Ctrl+C ends active requests, says how to continue, and exits with 130", async () => {
  const server = await slow();
  const file = usageFile(events(COUNT).join("\n"));
  const running = startIngest(server, [file.path]);
  await passed(file, 1_000);
  running.process.kill("SIGINT");
  const { stdout, stderr, code } = await running.ended;
  expect(code).toBe(130);
  expect(stdout).toContain("Interrupted. The progress is saved: run the same command again to continue.");
  expect(stderr).toContain("waiting for active requests; press Ctrl+C again to cancel them.");
  const stored = server.mock.events.size;
  expect(stored).toBeLessThan(COUNT);
  const { line } = JSON.parse(readFileSync(file.progress, "utf8"));
  expect(stored - line).toBeLessThan(100);
  expect(stored).toBeGreaterThanOrEqual(line);
  const rest = await ingest(server, [file.path]);
  expect(rest.code).toBe(0);
  expect(rest.stdout).toContain(`Continued after line ${line.toLocaleString("en")}.`);
  expect(storedNumbers(server)).toEqual(numbers);
});

test("a second Ctrl+C cancels active requests", async () => {
  const server = await started();
  server.mock.fault({ operation: "events:ingest", kind: "timeout" });
  const file = usageFile(events(10).join("\n"));
  const running = startIngest(server, [file.path]);
  while (server.mock.requests.to("events:ingest").length === 0) await sleep(10);
  running.process.kill("SIGINT");
  await sleep(300);
  const start = performance.now();
  running.process.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  expect(performance.now() - start).toBeLessThan(4_000);
});

test("a file that has changed is rejected with 2, and --restart sends it from the beginning", async () => {
  const server = await slow();
  const lines = events(COUNT);
  const file = usageFile(lines.join("\n"));
  const running = startIngest(server, [file.path]);
  await passed(file, 1_000);
  running.process.kill("SIGKILL");
  await running.ended;
  const before = readFileSync(file.progress, "utf8");
  writeFileSync(file.path, ["{}", ...lines.slice(1)].join("\n"));
  const changed = await ingest(server, [file.path]);
  expect(changed).toMatchObject({ code: 2, stdout: "" });
  expect(changed.stderr).toMatch(/has changed since its first \d+ lines were sent\..*--restart/);
  writeFileSync(file.path, lines.slice(0, 100).join("\n"));
  expect(await ingest(server, [file.path])).toMatchObject({ code: 2 });
  expect(readFileSync(file.progress, "utf8")).toBe(before);
  writeFileSync(file.path, lines.join("\n"));
  const restarted = await ingest(server, [file.path, "--restart", "--json"]);
  expect(JSON.parse(restarted.stdout)).toMatchObject({ outcome: "completed", resumed_after_line: 0 });
  expect(storedNumbers(server)).toEqual(numbers);
});

test("lines that were appended meanwhile are sent as well", async () => {
  const server = await slow();
  const lines = events(COUNT);
  const file = usageFile(`${lines.slice(0, -5).join("\n")}\n`);
  const running = startIngest(server, [file.path]);
  await passed(file, 1_000);
  running.process.kill("SIGKILL");
  await running.ended;
  writeFileSync(file.path, lines.join("\n"));
  expect((await ingest(server, [file.path])).code).toBe(0);
  expect(storedNumbers(server)).toEqual(numbers);
  const again = await ingest(server, [file.path, "--json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({ inserted: 0, resumed_after_line: COUNT });
  expect(storedNumbers(server)).toEqual(numbers);
});

test("a file with appended lines that another service received meanwhile is stored once in both", async () => {
  const server = await slow();
  const lines = events(COUNT);
  const file = usageFile(`${lines.slice(0, -5).join("\n")}\n`);
  const running = startIngest(server, [file.path]);
  await passed(file, 1_000);
  running.process.kill("SIGKILL");
  await running.ended;
  writeFileSync(file.path, lines.join("\n"));
  const other = await started();
  expect((await ingest(other, [file.path])).code).toBe(0);
  expect((await ingest(server, [file.path])).code).toBe(0);
  expect([storedNumbers(other), storedNumbers(server)]).toEqual([numbers, numbers]);
});

test("running again stores nothing again, also after the file is complete", async () => {
  const server = await started();
  const file = usageFile(events(3).join("\n"));
  await ingest(server, [file.path]);
  const { stdout } = await ingest(server, [file.path, "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ inserted: 0, duplicates: 3, resumed_after_line: 0 });
  expect(storedNumbers(server)).toEqual([1, 2, 3]);
});

test("files whose names differ only in their ends have separate lists of rejected lines", async () => {
  const server = await started();
  const [json, other] = [usageFile("{}", "usage.json"), usageFile("[]")];
  renameSync(other.path, join(dirname(json.path), "usage.jsonl"));
  await ingest(server, [json.path]);
  await ingest(server, [join(dirname(json.path), "usage.jsonl")]);
  expect(json.readRejected()).toMatchObject([{ text: "{}" }]);
});

test("the same line in two places, and in two files, is two events", async () => {
  const server = await started();
  const [line] = events(1);
  await ingest(server, [usageFile(`${line}\n${line}\n`).path]);
  await ingest(server, [usageFile(`${line}\n`).path]);
  expect(storedNumbers(server)).toEqual([1, 1, 1]);
});

test("the progress belongs to its target: another service, or another token, gets every line", async () => {
  const server = await slow();
  const file = usageFile(events(COUNT).join("\n"));
  const running = startIngest(server, [file.path]);
  await passed(file, 1_000);
  running.process.kill("SIGINT");
  await running.ended;
  const before = JSON.parse(readFileSync(file.progress, "utf8"));
  const other = await started();
  const { stdout, code } = await ingest(other, [file.path, "--json"]);
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, resumed_after_line: 0, inserted: COUNT });
  expect(storedNumbers(other)).toEqual(numbers);
  writeFileSync(file.progress, JSON.stringify(before));
  const rest = await ingest(server, [file.path, "--json"], "", server.mock.issueToken());
  expect(JSON.parse(rest.stdout)).toMatchObject({ resumed_after_line: 0, inserted: COUNT - before.line });
  expect(storedNumbers(server)).toEqual(numbers);
});

test("the numbers of a continued run count this run, and the exit code counts the rejected lines of both", async () => {
  const server = await slow();
  const file = usageFile(["{}", ...events(COUNT)].join("\n"));
  const running = startIngest(server, [file.path]);
  await passed(file, 1_000);
  running.process.kill("SIGINT");
  await running.ended;
  const { stdout, code } = await ingest(server, [file.path, "--json"]);
  const { resumed_after_line, inserted, duplicates, rejected, rejected_file } = JSON.parse(stdout);
  expect({ code, rejected, rejected_file }).toEqual({ code: 3, rejected: 0, rejected_file: file.rejected });
  expect(resumed_after_line + inserted + duplicates).toBe(COUNT + 1);
});

test.each(["progress", "progress.new", "rejected.jsonl"])(
  "does not write through a link in place of .%s",
  async (end) => {
    const server = await started();
    const file = usageFile(["{}", ...events(3)].join("\n"));
    const target = `${file.path}.target`;
    writeFileSync(target, "mine");
    symlinkSync(target, end === "rejected.jsonl" ? file.rejected : `${file.path}.${end}`);
    await ingest(server, [file.path]);
    expect(readFileSync(target, "utf8")).toBe("mine");
  },
);

test("a pipe and a device have no progress, and their events no external_id of the command", async () => {
  const server = await started();
  const folder = dirname(usageFile("").path);
  const [line] = events(1);
  const fifo = join(folder, "fifo");
  spawnSync("mkfifo", [fifo]);
  const running = startIngest(server, [fifo]);
  await writeFile(fifo, `${line}\n`);
  const { stdout, code } = await running.ended;
  expect(code).toBe(0);
  expect(stdout).toContain("Events without an external_id: 1; ingesting this input again stores them again.");
  const stdin = await ingest(server, ["-", "--json"], `${line}\n`);
  expect(JSON.parse(stdin.stdout)).toMatchObject({ inserted: 1, without_external_id: 1 });
  expect(readdirSync(folder)).toEqual(["fifo", "usage.jsonl"]);
  expect(storedNumbers(server)).toEqual([1, 1]);
});

test("a damaged progress file is rejected", async () => {
  const server = await started();
  const file = usageFile(events(1).join("\n"));
  writeFileSync(file.progress, "{");
  const { stderr, code } = await ingest(server, [file.path]);
  expect(code).toBe(2);
  expect(stderr).toContain(
    `${file.progress} is damaged, or was not written by this command. Delete it to send every line.`,
  );
});

test("an interrupted run from stdin cannot be continued, and the output says so", async () => {
  const server = await started();
  server.mock.fault({ operation: "events:ingest", kind: "timeout" });
  const running = startIngest(server, ["-"], events(10).join("\n"));
  while (server.mock.requests.to("events:ingest").length === 0) await sleep(10);
  for (let sent = 0; sent < 2; sent++) {
    running.process.kill("SIGINT");
    await sleep(300);
  }
  const { stdout, code } = await running.ended;
  expect(code).toBe(130);
  expect(stdout).toContain("Interrupted. Stdin, a pipe and a device have no saved progress");
});
