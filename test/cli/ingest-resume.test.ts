import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { MockServer } from "../../mock/server.ts";
import type { Ended } from "../support/command.ts";
import { newFolder } from "../support/new-folder.ts";
import { started } from "../support/started-server.ts";
import { events, ingest, spawnIngest, storedNumbers, usageFile } from "./ingest-support.ts";

const COUNT = 20_000;
const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);

/** A slow mock, so that a run takes long enough to be interrupted. */
async function slow(): Promise<MockServer> {
  const server = await started();
  server.mock.fault({ delay: 25 });
  return server;
}

/** Waits until a server has received so many requests. */
const received = async ({ mock }: MockServer, count = 1) => {
  while (mock.requests.to("events:ingest").length < count) await sleep(10);
};

/** Sends the first part of 40,000 lines. The service then rejects the token. */
async function partlySent(first: readonly string[] = []) {
  const server = await started();
  const lines = [...first, ...events(COUNT - first.length)];
  const file = usageFile(lines.join("\n"));
  const fault = server.mock.fault({ operation: "events:ingest", status: 401, skip: 25 });
  expect((await ingest(server, [file.path])).code).toBe(1);
  server.mock.faults.remove(fault.id);
  const progress = readFileSync(file.progress, "utf8");
  const { line, complete } = JSON.parse(progress);
  expect([line > 0 && line < COUNT, complete]).toEqual([true, false]);
  return { server, lines, file, progress, line: line as number };
}

/** Interrupts a run when its progress has passed a line. */
async function interrupt(
  server: MockServer,
  { path, progress }: ReturnType<typeof usageFile>,
  signal: "SIGINT" | "SIGKILL",
  line = 1_000,
): Promise<Ended> {
  const running = spawnIngest(server, [path]);
  while (!existsSync(progress) || JSON.parse(readFileSync(progress, "utf8")).line <= line) await sleep(5);
  running.process.kill(signal);
  return running.ended;
}

test("kill -9, again and again: each event is stored once, and each invalid line is rejected", {
  timeout: 120_000,
}, async () => {
  const server = await slow();
  const isInvalid = (number: number) => number % 100 === 1;
  const lines = events(COUNT).map((line, index) => (isInvalid(index + 1) ? "{}" : line));
  const file = usageFile(lines.join("\n"));
  for (const line of [3_000, 8_000, 13_000]) await interrupt(server, file, "SIGKILL", line);
  const { stdout, code } = await ingest(server, [file.path, "--json"]);
  const report = JSON.parse(stdout);
  expect(code).toBe(3);
  expect(report.resumed_after_line).toBeGreaterThan(13_000);
  expect(report.inserted + report.duplicates).toBeLessThan(COUNT / 2);
  expect(report.rejected).toBeLessThan(COUNT / 200);
  expect(storedNumbers(server)).toEqual(numbers.filter((number) => !isInvalid(number)));
  const rejected = new Set(file.readRejected().map(({ line }) => line));
  expect([...rejected].sort((a, b) => a - b)).toEqual(numbers.filter(isInvalid));
});

test("Ctrl+C ends active requests and exits with 130; the next run continues, and counts only its own lines", async () => {
  const server = await slow();
  const file = usageFile(["{}", ...events(COUNT)].join("\n"));
  const { stdout, stderr, code } = await interrupt(server, file, "SIGINT");
  expect(code).toBe(130);
  expect(stdout).toContain("Interrupted. To continue, run the same command again.");
  expect(stderr).toContain("waiting for active requests; press Ctrl+C again to end immediately.");
  const { line } = JSON.parse(readFileSync(file.progress, "utf8"));
  expect(server.mock.events.size).toBeLessThan(COUNT);
  expect(server.mock.events.size).toBeGreaterThanOrEqual(line - 1);
  const rest = await ingest(server, [file.path]);
  expect(rest.code).toBe(3);
  expect(rest.stdout).toContain(`Continued after line ${line.toLocaleString("en")}. In this run:\n`);
  expect(rest.stdout).toContain(`, 0 rejected\nRejected lines, with reasons: ${file.rejected}\n`);
  expect(storedNumbers(server)).toEqual(numbers);
});

test("a second Ctrl+C ends the command immediately, and the same command then continues", async () => {
  const server = await started();
  const { path } = usageFile(events(10).join("\n"));
  const { id } = server.mock.fault({ operation: "events:ingest", kind: "timeout" });
  const hanging = spawnIngest(server, [path]);
  await received(server);
  hanging.process.kill("SIGINT");
  await once(hanging.process.stderr, "data");
  hanging.process.kill("SIGINT");
  // The first one alone would end it with 130.
  expect((await hanging.ended).code).toBeNull();
  server.mock.faults.remove(id);
  expect(await ingest(server, [path])).toMatchObject({ code: 0, stdout: expect.stringContaining("10 inserted") });
});

test("a second run of the same file says which process sends it", async () => {
  const server = await started();
  server.mock.fault({ operation: "events:ingest", delay: 500 });
  const { path } = usageFile(events(10).join("\n"));
  const first = spawnIngest(server, [path]);
  await received(server);
  const second = await ingest(server, [path]);
  expect([second.code, second.stderr]).toEqual([
    1,
    expect.stringContaining(`process ${first.process.pid} is sending this file`),
  ]);
  expect(await first.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("10 inserted") });
});

test("a complete file says so and sends nothing, unless --again; a changed one needs --again, too", async () => {
  const server = await started();
  const [line] = events(1);
  const file = usageFile(`${line}\n${line}\n{}\n`);
  expect((await ingest(server, [file.path])).stdout).toContain("2 inserted, 0 duplicates, 1 rejected");
  const { count } = server.mock.requests;
  const again = await ingest(server, [file.path]);
  expect(again.stdout).toMatch(/^Already complete: 3 lines\. Nothing was sent; --again sends all of them\.\nRejected/);
  expect([again.code, server.mock.requests.count]).toEqual([3, count]);
  const all = await ingest(server, [file.path, "--json", "--again"]);
  expect(JSON.parse(all.stdout)).toMatchObject({ inserted: 0, duplicates: 2, resumed_after_line: 0 });
  appendFileSync(file.path, `${line}\n`);
  const changed = await ingest(server, [file.path]);
  expect([changed.code, changed.stderr]).toEqual([
    2,
    expect.stringMatching(/has changed since it was sent\..* --again;/),
  ]);
  await ingest(server, [usageFile(`${line}\n`).path]);
  expect(storedNumbers(server)).toEqual([1, 1, 1]);
});

test("a file that changed before it was sent completely is rejected with 2", async () => {
  const { server, lines, file, progress, line } = await partlySent();
  for (const changed of [["{}", ...lines.slice(1)], lines.slice(0, 100), [...lines, ""]]) {
    writeFileSync(file.path, changed.join("\n"));
    const { code, stdout, stderr } = await ingest(server, [file.path]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`has changed since its first ${line} lines were sent.`);
  }
  expect(readFileSync(file.progress, "utf8")).toBe(progress);
  writeFileSync(file.path, lines.join("\n"));
  const { stdout } = await ingest(server, [file.path, "--json", "--again"]);
  const { resumed_after_line, inserted, duplicates } = JSON.parse(stdout);
  expect([resumed_after_line, inserted + duplicates]).toEqual([0, COUNT]);
});

test("events that a response does not confirm end the command with 1, and the next run sends them again", async () => {
  const server = await started();
  const file = usageFile(events(1_200).join("\n"));
  const body = { inserted: 1, duplicates: 0 };
  server.mock.fault({ operation: "events:ingest", status: 200, body, skip: 1, times: 2 });
  const { stdout, stderr, code } = await ingest(server, [file.path, "--concurrency", "1"]);
  expect(stdout).toMatch(/^700 inserted, 0 duplicates, 0 rejected, 500 unconfirmed\nNot complete. To continue/);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/counts in a response do not add up.* ask your provider/)]);
  expect(JSON.parse(readFileSync(file.progress, "utf8")).line).toBe(0);
  const again = await ingest(server, [file.path]);
  expect([again.code, again.stdout]).toEqual([
    0,
    expect.stringContaining("500 inserted, 700 duplicates, 0 rejected\n"),
  ]);
});

test("a file that is written while it is sent ends the command with 2", async () => {
  const server = await started();
  const file = usageFile(events(1).join("\n"));
  server.mock.fault({ operation: "events:ingest", delay: 500 });
  const ended = ingest(server, [file.path]);
  await received(server);
  writeFileSync(file.path, readFileSync(file.path, "utf8").replace("acme", "Acme"));
  const stderr = expect.stringContaining("has changed since its first 1 lines");
  expect(await ended).toMatchObject({ code: 2, stderr });
});

test("the progress belongs to its target: another service, or another token, gets every line", async () => {
  const { server, file, progress, line } = await partlySent();
  for (const [target, token] of [[await started()], [server, server.mock.issueToken()], [server]] as const) {
    writeFileSync(file.progress, progress);
    const { stdout } = await ingest(target, [file.path, "--json"], "", token);
    const resumed_after_line = target === server && token === undefined ? line : 0;
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "completed", resumed_after_line });
    expect(storedNumbers(target)).toEqual(numbers);
  }
});

test("a pipe and stdin have no progress, and their events no external_id of the command", async () => {
  const server = await started();
  const folder = dirname(usageFile("").path);
  const [line] = events(1);
  const fifo = join(folder, "fifo");
  spawnSync("mkfifo", [fifo]);
  const running = ingest(server, [fifo]);
  await writeFile(fifo, `${line}\n`);
  const { stdout, code } = await running;
  expect(code).toBe(0);
  expect(stdout).toContain("1 inserted");
  expect(readdirSync(folder)).toEqual(["fifo", "usage.jsonl"]);
  server.mock.fault({ operation: "events:ingest", kind: "timeout" });
  const interrupted = spawnIngest(server, ["-"]);
  interrupted.process.stdin.end(events(10).join("\n"));
  await received(server, 2);
  interrupted.process.kill("SIGINT");
  const end = await interrupted.ended;
  expect(end.code).toBe(130);
  expect(end.stdout).toContain("Interrupted. Stdin, a pipe and a device have no saved progress");
});

test("what a full disk or a crash left of rejected lines after the progress is replaced", async () => {
  const { server, file } = await partlySent(["{}", "[]"]);
  const complete = file.readRejected();
  expect(complete).toHaveLength(2);
  appendFileSync(file.rejected, '{"line":1000,"reas');
  expect((await ingest(server, [file.path])).code).toBe(3);
  expect(file.readRejected()).toEqual(complete);
});

test.each([
  ["600", "600"],
  ["640", "640"],
  ["644", "644"],
  ["666", "666"],
  ["444", "644"],
])("the files beside an input of the mode %s have the mode %s", async (mode, expected) => {
  const file = usageFile(`${events(1)}\n{}`);
  chmodSync(file.path, mode);
  await ingest(await started(), [file.path]);
  for (const path of [file.progress, file.rejected]) expect((statSync(path).mode & 0o777).toString(8)).toBe(expected);
});

test.skipIf(process.getuid?.() === 0)("an input that its user cannot read is rejected with 2", async () => {
  const file = usageFile(events(1).join("\n"));
  chmodSync(file.path, 0o200);
  const stderr = `billing ingest: ${file.path}: permission denied.\n`;
  expect(await ingest(await started(), [file.path])).toEqual({ stdout: "", stderr, code: 2 });
  expect(readdirSync(dirname(file.path))).toEqual(["usage.jsonl"]);
});

test("only the owner can read the rejected lines of stdin, and each run adds to them", async () => {
  const server = await started();
  const folder = newFolder();
  const rejected = join(folder, "stdin.rejected");
  for (const count of [1, 2]) {
    const { process, ended } = spawnIngest(server, ["-"], folder);
    process.stdin.end("{}\n");
    expect((await ended).code).toBe(3);
    expect(readFileSync(rejected, "utf8").match(/\n/g)).toHaveLength(count);
  }
  expect(statSync(rejected).mode & 0o777).toBe(0o600);
});

test("a link in the place of a file beside an input is not followed", async () => {
  const server = await started();
  const file = usageFile(`${events(1)}\n{}`);
  await ingest(server, [file.path]);
  const elsewhere = join(newFolder(), "elsewhere");
  for (const path of [file.progress, file.rejected]) {
    rmSync(path);
    writeFileSync(elsewhere, "kept");
    symlinkSync(elsewhere, path);
    await ingest(server, [file.path]);
    expect(readFileSync(elsewhere, "utf8")).toBe("kept");
    rmSync(path);
  }
});

test("progress that cannot be written ends the command with 1 before a request", async () => {
  const server = await started();
  const file = usageFile(events(1).join("\n"));
  mkdirSync(`${file.progress}.new`);
  const { stderr, code } = await ingest(server, [file.path]);
  expect([stderr, code]).toEqual([expect.stringContaining(`cannot write ${file.progress}.new: illegal operation`), 1]);
  expect(server.mock.requests.count).toBe(0);
});

test("a damaged progress file is rejected", async () => {
  const file = usageFile(events(1).join("\n"));
  writeFileSync(file.progress, "{");
  const { stderr, code } = await ingest(await started(), [file.path]);
  expect(code).toBe(2);
  expect(stderr).toContain(`${file.progress} is damaged, or was not written by this command. Move it away to send`);
});
