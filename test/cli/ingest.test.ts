import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { billing, start } from "../support/command.ts";
import { started } from "../support/started-server.ts";
import { NEXT } from "../support/versions.ts";
import { events, ingest, NOTE, spawnIngest, storedNumbers, usageFile } from "./ingest-support.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test("stores every event of a file, prints the counts, and saves that it is complete", async () => {
  const server = await started();
  const file = usageFile(events(1_201).join("\n"));
  const { stdout, stderr, code } = await ingest(server, [file.path]);
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  expect(stdout).toBe("1,201 inserted, 0 duplicates, 0 rejected\n");
  expect(storedNumbers(server)).toEqual(numbers(1_201));
  // Characters of two bytes, split across chunks.
  expect(server.mock.events.list().every(({ metadata }) => metadata["note"] === NOTE)).toBe(true);
  expect(JSON.parse(readFileSync(file.progress, "utf8"))).toMatchObject({ line: 1_201, complete: true });
  expect([file.rejected, `${file.path}.lock`].filter(existsSync)).toEqual([]);
});

test.each([
  ["gzip", gzipSync(`${events(3).join("\n")}\n`), "is compressed with gzip; decompress it first: gunzip -k <file>"],
  [
    "UTF-16",
    Buffer.from(`\uFEFF${events(2).join("\r\n")}`, "utf16le"),
    "is in UTF-16; convert it first: iconv -f UTF-16",
  ],
  ["a workbook", Buffer.from("PK\u0003\u0004…"), "is a ZIP archive or an Excel workbook; pass the text in it"],
])("names an input in %s, and sends and leaves nothing", async (_, bytes, problem) => {
  const server = await started();
  const file = usageFile(bytes);
  for (const [path, stdin] of [[file.path], ["-", bytes]] as const) {
    const { stdout, stderr, code } = await ingest(server, [path], stdin);
    expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
    expect(stderr).toContain(`${path}: the input ${problem}`);
  }
  expect([server.mock.requests.count, existsSync(file.progress)]).toEqual([0, false]);
});

test("a line of 40 MB takes time linear in its length", async () => {
  const server = await started();
  const { path } = usageFile(Buffer.concat([Buffer.alloc(40_000_000, "a"), Buffer.from(`\n${events(1)}`)]));
  const before = process.cpuUsage();
  expect((await ingest(server, [path])).stdout).toContain("1 inserted, 0 duplicates, 1 rejected");
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
});

test("sends the lines of a slow stdin before its end, and on Ctrl+C those that were read before it", async () => {
  const server = await started();
  const { process, ended } = spawnIngest(server, ["-"]);
  const [line1, ...more] = events(3);
  // A second after the first lines, the next ones send both.
  const write = setInterval(() => process.stdin.write("\n"), 100);
  process.stdin.write(`${line1}\n`);
  await expect.poll(() => server.mock.events.size, { timeout: 8_000 }).toBe(1);
  clearInterval(write);
  // More spaces than the pipe holds: when they are written, the lines before them have been read.
  const written = `${more.join("\n")}\n${" ".repeat(2 ** 20)}`;
  await new Promise((resolve) => process.stdin.write(written, resolve));
  process.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 130, stdout: expect.stringContaining("3 inserted") });
  expect(storedNumbers(server)).toEqual([1, 2, 3]);
});

test("prints its progress as a line, ten seconds after the start or the line before", async () => {
  const { mock, url } = await started();
  const now = performance.now.bind(performance);
  let skipped = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now() + skipped);
  const running = start(["ingest", "-", "--base-url", url], { BILLING_TOKEN: mock.issueToken() });
  for (const [index, line] of events(3).entries()) {
    running.stdin.write(`${line}\n`);
    // A second after a line, whatever follows sends it.
    const next = () => {
      running.stdin.write("\n");
      return mock.events.size;
    };
    await expect.poll(next, { timeout: 8_000 }).toBe(index + 1);
    skipped += 6_000;
  }
  running.stdin.end();
  expect((await running.ended).stderr).toMatch(/^billing ingest: 3 events, [\d,]+\/s\n$/);
});

test("keeps the rejected lines of an earlier run until it has sent some", async () => {
  const server = await started();
  const file = usageFile(`42\n${events(1)}`);
  expect(await ingest(server, [file.path])).toMatchObject({ code: 3 });
  const args = ["ingest", file.path, "--retry-for", "0", "--base-url", "https://sandbox-api.billing-service.example"];
  const { stderr, code } = await billing(args, { BILLING_TOKEN: "token-of-a-test" });
  expect([stderr, code]).toEqual([expect.stringContaining("sandbox-api.billing-service.example is a placeholder"), 1]);
  expect(file.readRejected()).toHaveLength(1);
  expect(await ingest(server, [file.path])).toMatchObject({ code: 3 });
  expect(file.readRejected()).toHaveLength(1);
});

test("--json prints one line with the retries after which stored events count as duplicates, and --version selects the client", async () => {
  const server = await started();
  const file = usageFile(events(2).join("\n"));
  server.mock.fault({ operation: "events:ingest", kind: "truncated", times: 1 });
  const { stdout, stderr, code } = await ingest(server, [file.path, "--json", "--version", NEXT]);
  const retried = expect.stringContaining("a request failed and will be retried: events:ingest");
  expect({ stderr, code }).toEqual({ stderr: retried, code: 0 });
  expect(stdout.trim().split("\n")).toHaveLength(1);
  expect(JSON.parse(stdout)).toEqual({
    outcome: "completed",
    version: NEXT,
    already_complete: false,
    resumed_after_line: 0,
    inserted: 0,
    duplicates: 2,
    rejected: 0,
    unconfirmed: 0,
    rejected_file: null,
    retries: 1,
  });
  expect(server.mock.requests.to("events:ingest")[0]?.versionUsed).toBe(NEXT);
});

test("writes rejected lines with their number and reason, stores the others, and exits with 3", async () => {
  const server = await started();
  const lines: (string | Buffer)[] = events(1_200);
  const long = JSON.stringify({ name: "x".repeat(11 * 1024 * 1024) });
  const deep = `{"name":"a","metadata":${"[".repeat(20_000)}9007199254740993${"]".repeat(20_000)}}`;
  const ordered = (order: string) => `{"name":"a","external_customer_id":"c","metadata":{"order":${order}}}`;
  const bad: readonly [line: number, text: string | Buffer, reason: string][] = [
    [1, '{"name":', "not JSON: Unexpected end of JSON input"],
    [7, '{"external_customer_id":"a"}', "name"],
    [500, '{"name":"api.call"}', "customer_id: One of these fields is required: customer_id, external_customer_id"],
    [900, "42", "must be an object"],
    [940, ordered("9007199254740993"), "the number 9007199254740993 would be rounded; write it as a string"],
    [950, ordered("9".repeat(400)), `the number ${"9".repeat(40)}… would be rounded; write it as a string`],
    [960, deep, "nested too deeply"],
    [970, Buffer.from('{"name":"café","external_customer_id":"a"}', "latin1"), "not UTF-8"],
    [1_000, long, "longer than 10485760 bytes"],
    [1_200, '{"name":"api.call","external_customer_id":"a","external_id":null}', "external_id"],
  ];
  for (const [line, text] of bad) lines[line - 1] = text;
  // Integers that JavaScript represents exactly, and characters that do not end a line.
  const accepted = ["9007199254740992", "-10000000000000000000000", "1.2345678901234567890e19", '"one\u2028two\uFFFD"'];
  for (const [index, order] of accepted.entries()) lines[index + 1] = ordered(order);
  const end = Buffer.from("\r\n");
  const file = usageFile(
    Buffer.concat([Buffer.from("\uFEFF"), ...lines.flatMap((line) => [Buffer.from(line), end]), end]),
  );
  const { stdout, code } = await ingest(server, [file.path]);
  expect(code).toBe(3);
  expect(stdout).toContain(
    `1,190 inserted, 0 duplicates, 10 rejected\nRejected lines, with reasons: ${file.rejected}\n`,
  );
  const rejected = file.readRejected().toSorted((a, b) => a.line - b.line);
  expect(rejected.map(({ line }) => line)).toEqual(bad.map(([line]) => line));
  for (const [index, [, text, reason]] of bad.entries()) {
    expect(rejected[index]?.reason).toContain(reason);
    if (text !== long && typeof text === "string") expect(rejected[index]?.text).toBe(text);
  }
  const orders = server.mock.events.list().flatMap(({ metadata }) => metadata["order"] ?? []);
  expect(orders).toEqual(accepted.map((order) => JSON.parse(order)));
  const valid = numbers(1_200).filter((number) => number > 5 && !bad.some(([line]) => line === number));
  expect(storedNumbers(server).filter((number) => number > 0)).toEqual(valid);
});

test.each([
  [
    "a long CSV file",
    "name,customer\napi.call,acme\n".repeat(100),
    "none of its first 100 lines is a JSON object, and the first one looks like CSV",
  ],
  ["a JSON array with an event per line", `[\n${events(3).join(",\n")}\n]\n`, "begins with a JSON array"],
  ["a JSON array above the maximum length of a line", ` [${" ".repeat(10 * 2 ** 20)}]\n`, "begins with a JSON array"],
])("%s is rejected with 2, and leaves no file", async (_, content, problem) => {
  const server = await started();
  const file = usageFile(content, "usage.csv");
  for (const [path, stdin] of [[file.path], ["-", content]] as const) {
    const { stdout, stderr, code } = await ingest(server, [path], stdin);
    expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
    expect(stderr).toContain(`${path}: ${problem}. Nothing was sent.`);
    expect(stderr).toContain("of a JSON array, jq -c '.[]' makes one");
  }
  expect([file.progress, file.rejected].filter(existsSync)).toEqual([]);
});

test("repeats failed requests, says why it waits, and stores every event once if responses are lost", async () => {
  const server = await started();
  server.mock.fault({ operation: "events:ingest", status: 503, times: 1 });
  server.mock.fault({ operation: "events:ingest", kind: "truncated", times: 2 });
  const { stdout, stderr } = await ingest(server, [usageFile(events(800).join("\n")).path, "--json"]);
  expect(storedNumbers(server)).toEqual(numbers(800));
  expect(JSON.parse(stdout).duplicates).toBeGreaterThan(0);
  expect(stderr).toMatch(/^billing ingest: a request failed and will be retried: events:ingest.*\n$/);
});

test("a wrong token ends the command with 1, is not printed, and the same command continues", async () => {
  const server = await started();
  const file = usageFile(events(10).join("\n"));
  const env = { BILLING_TOKEN: "wrong-token" };
  const failed = await billing(["ingest", file.path, "--base-url", server.url], env);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain("401");
  expect(failed.stderr).toMatch(/^billing ingest: .* \(check BILLING_TOKEN\)\n$/);
  expect(failed.stdout).toContain("Not complete. To continue, run the same command again.");
  expect(failed.stdout + failed.stderr + readFileSync(file.progress, "utf8")).not.toContain("wrong-token");
  server.mock.fault({ operation: "events:ingest", status: 403, times: 2 });
  const { stderr } = await ingest(server, [file.path]);
  expect(stderr).toMatch(/^billing ingest: events:ingest: 403 \(check BILLING_TOKEN\)$/m);
  expect((await ingest(server, [file.path])).code).toBe(0);
  expect(storedNumbers(server)).toEqual(numbers(10));
});

test("ends with 1 if the service cannot be reached for --retry-for seconds", async () => {
  const file = usageFile(events(1).join("\n"));
  const args = ["ingest", file.path, "--base-url", "http://127.0.0.1:9", "--retry-for", "0", "--json"];
  const { stdout, stderr, code } = await billing(args, { BILLING_TOKEN: "token" });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^billing ingest: events:ingest.* \(gave up: the next attempt .* more than 0 ms after the first failure.*\)\n$/,
  );
  const error = stderr.trim().replace("billing ingest: ", "");
  expect(JSON.parse(stdout)).toMatchObject({ outcome: "failed", error, inserted: 0 });
});
