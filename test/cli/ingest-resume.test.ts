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
import { billingFile, type Ended } from "../support/command.ts";
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

/** Sends the first two batches of 4,000 lines. The service then rejects the token. */
async function partlySent(first: readonly string[] = []) {
  const server = await started();
  const lines = [...first, ...events(4_000 - first.length)];
  const file = usageFile(lines.join("\n"));
  const fault = server.mock.fault({ operation: "events:ingest", status: 401, skip: 2 });
  expect((await ingest(server, [file.path, "--concurrency", "1"])).code).toBe(1);
  server.mock.faults.remove(fault.id);
  const progress = readFileSync(file.progress, "utf8");
  expect(JSON.parse(progress)).toMatchObject({ line: 1_000, complete: false });
  return { server, lines, file, progress };
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
  expect(stdout).toContain("Interrupted. The progress is saved: run the same command again to continue.");
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

test("Ctrl+C does not wait for a retry, and a second one ends the command immediately", async () => {
  const server = await started();
  server.mock.fault({ operation: "events:ingest", status: 503, retryAfter: 4, times: 1 });
  const { path } = usageFile(events(10).join("\n"));
  const running = spawnIngest(server, [path]);
  await received(server);
  running.process.kill("SIGINT");
  expect(await running.ended).toMatchObject({ code: 130, stdout: expect.stringMatching(/^0 inserted/) });
  const { id } = server.mock.fault({ operation: "events:ingest", kind: "timeout" });
  const hanging = spawnIngest(server, [path]);
  await received(server, 2);
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
  expect([second.code, second.stderr]).toEqual([1, expect.stringContaining(`process ${first.process.pid} on `)]);
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
  const { server, lines, file, progress } = await partlySent();
  for (const changed of [["{}", ...lines.slice(1)], lines.slice(0, 100), [...lines, ""]]) {
    writeFileSync(file.path, changed.join("\n"));
    const { code, stdout, stderr } = await ingest(server, [file.path]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/has changed since its first 1000 lines were sent\./);
  }
  expect(readFileSync(file.progress, "utf8")).toBe(progress);
  writeFileSync(file.path, lines.join("\n"));
  const { stdout } = await ingest(server, [file.path, "--json", "--again"]);
  expect(JSON.parse(stdout)).toMatchObject({ resumed_after_line: 0, inserted: 3_000, duplicates: 1_000 });
});

test("events that a response does not confirm end the command with 1, and the next run sends them again", async () => {
  const server = await started();
  const file = usageFile(events(1_200).join("\n"));
  const body = { inserted: 1, duplicates: 0 };
  server.mock.fault({ operation: "events:ingest", status: 200, body, skip: 1, times: 2 });
  const { stdout, stderr, code } = await ingest(server, [file.path, "--concurrency", "1"]);
  expect(stdout).toMatch(
    /^700 inserted, 0 duplicates, 0 rejected, 500 unconfirmed\nNot complete. The progress is saved:/,
  );
  expect([code, stderr]).toEqual([1, expect.stringMatching(/counts in a response do not add up.* ask your provider/)]);
  expect(JSON.parse(readFileSync(file.progress, "utf8")).line).toBe(500);
  const again = await ingest(server, [file.path]);
  expect([again.code, again.stdout]).toEqual([
    0,
    expect.stringContaining("500 inserted, 200 duplicates, 0 rejected\n"),
  ]);
});

test.each([
  ["Acme", 2, "has changed since its first 1 lines"],
  ["acme", 0, ""],
])(
  "a file that is written again in place, with %s, while it is sent ends the command with %i",
  async (id, code, text) => {
    const server = await started();
    const file = usageFile(events(1).join("\n"));
    server.mock.fault({ operation: "events:ingest", delay: 500 });
    const ended = ingest(server, [file.path]);
    await received(server);
    writeFileSync(file.path, readFileSync(file.path, "utf8").replace("acme", id));
    expect(await ended).toMatchObject({ code, stderr: expect.stringContaining(text) });
  },
);

test("the progress belongs to its target: another service, or another token, gets every line", async () => {
  const { server, file, progress } = await partlySent();
  for (const [target, token] of [[await started()], [server, server.mock.issueToken()], [server]] as const) {
    writeFileSync(file.progress, progress);
    const { stdout } = await ingest(target, [file.path, "--json"], "", token);
    const resumed_after_line = target === server && token === undefined ? 1_000 : 0;
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "completed", resumed_after_line });
    expect(storedNumbers(target)).toEqual(numbers.slice(0, 4_000));
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
  expect(stdout).toContain("Events without an external_id: 1; ingesting this input again stores them again.");
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

test("what a full disk or a crash left of rejected lines after the progress is written again", async () => {
  const { server, file } = await partlySent(["{}", "[]"]);
  const complete = file.readRejected();
  expect(complete).toHaveLength(2);
  appendFileSync(file.rejected, '{"line":1000,"reas');
  expect((await ingest(server, [file.path])).code).toBe(3);
  expect(file.readRejected()).toEqual(complete);
});

test("rejected lines of stdin that a full disk cut off are removed, and those before them stay", () => {
  const folder = newFolder();
  const lines = Array.from({ length: 40 }, (_, index) => JSON.stringify({ index }));
  const ingestLines = (blocks: number | "unlimited", input: readonly string[]) => {
    // A process whose files may have a few blocks of 512 bytes, as on a small disk.
    const args = ["-c", `ulimit -f ${blocks}; exec "$@"`, "sh", process.execPath, billingFile, "ingest", "-"];
    const env = { BILLING_TOKEN: "token" };
    const options = { cwd: folder, input: input.join("\n"), encoding: "utf8", env } as const;
    return spawnSync("sh", [...args, "--base-url", "http://127.0.0.1:9", "--retry-for", "0"], options);
  };
  const kept = () =>
    readFileSync(join(folder, "stdin.rejected"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).text);
  expect(ingestLines(2, lines.slice(0, 2)).status).toBe(3);
  const { status, stderr } = ingestLines(2, lines);
  expect([status, stderr]).toEqual([1, expect.stringContaining("EFBIG")]);
  expect(kept()).toEqual(lines.slice(0, 2));
  ingestLines("unlimited", lines.slice(2));
  expect(kept()).toEqual(lines);
});

test("the files beside an input have its mode, and no link is followed", async () => {
  const server = await started();
  const file = usageFile(`${events(1)}\n{}`);
  chmodSync(file.path, 0o600);
  await ingest(server, [file.path]);
  for (const path of [file.progress, file.rejected]) expect(statSync(path).mode & 0o777).toBe(0o600);
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

test.each([
  ["progress", ".new"],
  ["rejected", ""],
] as const)("a file of %s lines that cannot be written ends the command with 2 before a request", async (kind, end) => {
  const server = await started();
  const file = usageFile(events(1).join("\n"));
  mkdirSync(file[kind] + end);
  const { stdout, stderr, code } = await ingest(server, [file.path]);
  expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
  expect(stderr).toContain(`cannot write ${file[kind]}${end}: illegal operation on a directory. Nothing was sent.`);
  expect(server.mock.requests.count).toBe(0);
});

test("a damaged progress file is rejected", async () => {
  const file = usageFile(events(1).join("\n"));
  writeFileSync(file.progress, "{");
  const { stderr, code } = await ingest(await started(), [file.path]);
  expect(code).toBe(2);
  expect(stderr).toContain(`${file.progress} is damaged, or was not written by this command. Move it away to send`);
});
