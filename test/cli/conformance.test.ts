import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { createMock } from "../../mock/index.ts";
import type { MockServer } from "../../mock/server.ts";
import { billing, billingFile, fileWith, spawnBilling } from "../support/command.ts";
import { newFolder } from "../support/new-folder.ts";
import { started } from "../support/started-server.ts";
import { CURRENT } from "../support/versions.ts";

const SECRET = "opaque-0123456789-credential";

const INTRODUCTION = `# Example: a conformance report

This is an example of what \`billing conformance\` prints; see [Check the mock against your service](../docs/check-your-service.md).
It does not describe the Billing Service, but a mock that differs from the default in three settings, and that answers every request for products with an error in a 200.
`;

/** Checks one version instead of three. */
const ONLY_CURRENT = ["--version", CURRENT];

const to = (url = "http://127.0.0.1:9") => ["conformance", "--base-url", url];

/** Returns the arguments that check a server, with tokens of the mock in a file. */
function against({ url, mock }: Pick<MockServer, "url" | "mock">): string[] {
  const tokens = (["oidc", "pat", "oat"] as const).map((kind) => ({ kind, token: mock.issueToken({ type: kind }) }));
  return [...to(url), "--tokens", fileWith(JSON.stringify(tokens), "tokens.json")];
}

/** Returns the arguments that check a server that knows no tokens. */
const foreign = (url: string) => [...to(url), "--tokens", fileWith(JSON.stringify([{ kind: "oat", token: SECRET }]))];

/** Runs the check of a server to its end. */
const check = (server: MockServer, ...more: string[]) => billing([...against(server), ...more]);

/** The endpoints that a run has left enabled. */
const leftEnabled = ({ mock }: MockServer) => mock.webhookEndpoints.list().filter(({ enabled }) => enabled);

describe("the outcome", () => {
  it("is 3 if a rule does not hold, and shows what was expected and received", async () => {
    const server = await started();
    server.mock.fault({ operation: "events:ingest", status: 200, body: { error: "|<img>\n# x" } });
    const { stdout, code } = await check(server, "--only", "ING-1");
    expect(stdout).toMatch(/✗ ING-1 .*\n.*POST \/v1\/events\/ingest.*\n +expected .*inserted.*; received 200/);
    expect(stdout).not.toContain("\u001b");
    expect(code).toBe(3);
  });

  it("names settings that were not observed, and command-line options", async () => {
    const server = await started({ assumptions: { cors: ["https://app.example"] } });
    const { stdout, stderr } = await check(server, "--read-only", "--only", "G-CORS,G-EVT-DUP");
    expect(stderr).toContain("Writes nothing.");
    expect(stdout).toMatch(/it writes events \(run without --read-only\): G-EVT-DUP duplicateEvents\n/);
    expect(stdout).toMatch(/no request can list them \(Vary: Origin\) \(--origin\): G-CORS cors\n/);
  });

  it("is 1 if an endpoint is left enabled, and names it", async () => {
    const server = await started();
    server.mock.fault({ operation: "webhooks:update_webhook_endpoint", status: 500 });
    const { stderr, code } = await check(server, "--only", "WHE-1", ...ONLY_CURRENT);
    expect(leftEnabled(server)).not.toEqual([]);
    for (const { id } of leftEnabled(server)) expect(stderr).toContain(id);
    expect(code).toBe(1);
  });

  it.skipIf(process.platform === "win32").each([
    ["Ctrl+C", "SIGINT"],
    ["a closed terminal", "SIGHUP"],
  ] as const)("is 130 after %s, with the endpoints disabled", async (_, signal) => {
    const server = await started();
    server.mock.fault({ delay: 10 });
    const running = spawnBilling([...against(server), "--only", "WHE-*,GET-*"]);
    await expect.poll(() => server.mock.webhookEndpoints.list().length).toBeGreaterThan(0);
    if (signal === "SIGHUP") for (const stream of running.process.stdio) stream?.destroy();
    running.process.kill(signal);
    const stdout = signal === "SIGHUP" ? "" : expect.stringContaining("interrupted");
    expect(await running.ended).toMatchObject({ code: 130, stdout });
    expect(leftEnabled(server)).toEqual([]);
  });
});

describe("consent", () => {
  const quickly = ["--timeout", "50", "--requests-per-second", "1000"];
  // TEST-NET-1 (RFC 5737) reaches nothing.
  it.each([
    ["http://192.0.2.1:9", [], 2, "with --yes"],
    ["http://192.0.2.1:9", ["--yes"], 1, "nothing could be observed"],
  ])("%s with %j ends with %i", async (url, more, expected, message) => {
    const { stderr, code } = await billing([...foreign(url), ...quickly, ...more]);
    expect({ stderr, code }).toEqual({ stderr: expect.stringContaining(message), code: expected });
  });
});

test.skipIf(process.platform === "win32")("--trigger makes deliveries observable, as in the guide", async () => {
  const server = await started();
  const guide = readFileSync(new URL("../../docs/check-your-service.md", import.meta.url), "utf8");
  const [, args] = /--trigger 'npx @billing-service\/sdk ([^']+)'/.exec(guide) ?? [];
  const command = `"${process.execPath}" "${billingFile}" ${args} --url ${server.url}`;
  const only = ["--only", "DEL-1", ...ONLY_CURRENT];
  const { stdout, code } = await check(server, ...only, "--trigger", command);
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Rules +1 hold · 0 do not/m) });
  const failing = await check(server, ...only, "--trigger", "echo no queue >&2; exit 2");
  expect(failing.stdout).toContain("  the command of --trigger ended with 2: DEL-1\n");
  expect(failing.stderr).toContain("billing conformance: --trigger ended with 2: no queue\n");
});

describe("tokens", () => {
  it.each([
    [["--tokens", "billing_oat_0123456789abcdef"]],
    [["Bearer opaque"]],
    [["--trigger", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]],
  ])("are never arguments, and no message shows one: %j", async (args) => {
    const { stdout, stderr, code } = await billing([...to(), ...args]);
    expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
    expect(stderr).not.toMatch(/0123456789|eyJ|opaque|MfKQ/);
  });

  it.each([
    ["not JSON", `"${SECRET}`],
    ["an unknown field", JSON.stringify([{ kind: "oat", token: SECRET, [SECRET]: 1 }])],
    ["a token as its kind", JSON.stringify([{ kind: SECRET, token: "oat" }])],
    ["a token as its scope", JSON.stringify([{ kind: "oat", token: "oat", scopes: SECRET }])],
  ])("a file with %s is rejected without showing it", async (_, text) => {
    const { stderr, code } = await billing([...to(), "--tokens", fileWith(text)]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^billing conformance: --tokens(: |\[0\]).+\n$/);
    expect(stderr).not.toContain(SECRET);
  });

  it("come from the environment or from a file", async () => {
    const { url, mock } = await started();
    const oat = mock.issueToken();
    const args = [...to(url), "--only", "ING-1"];
    const file = fileWith(JSON.stringify([{ kind: "oat", token: oat, scopes: ["events:write"] }]));
    const runs = [billing(args, { BILLING_OAT_TOKEN: oat }), billing([...args, "--tokens", file])];
    for (const ended of runs) expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining("1 hold") });
  });
});

describe("reports", () => {
  it("--write finds what a hidden service does otherwise, as createMock and billing mock take it", async () => {
    const hidden = {
      unknownCustomers: "reject",
      maxBatchSize: 250,
      eventName: { maxLength: 64 },
    } as const;
    const server = await started({ assumptions: hidden });
    const file = join(newFolder(), "assumptions.json");
    const { stdout, stderr, code } = await check(server, ...ONLY_CURRENT, "--json", "--write", file);
    expect(stderr).toMatch(/^At most [\d,]+ requests to http:\/\/127\.0\.0\.1:\d+\. Writes .*events.*\.\n$/);
    expect(code).toBe(0);
    expect(stdout.trim().split("\n")).toHaveLength(1);
    expect(stdout).not.toMatch(/billing_\w+_|whsec_/);
    expect(JSON.parse(stdout)).toMatchObject({ baseUrl: server.url, aborted: false, leftEnabled: [], choices: hidden });
    const written = JSON.parse(readFileSync(file, "utf8"));
    expect(written).toEqual(hidden);
    expect(createMock({ assumptions: written }).assumptions).toEqual(server.mock.assumptions);
    expect(leftEnabled(server)).toEqual([]);
  });

  it("prints the report in the examples", async () => {
    const assumptions = { unknownCustomers: "reject", maxBatchSize: 250, nullFields: "accept" } as const;
    const server = await started({ seed: 1, assumptions });
    server.mock.fault({ operation: "products:list", status: 200, body: { error: "Unavailable" } });
    const { stdout } = await check(server, ...ONLY_CURRENT);
    const page = new URL("../../examples/conformance-report.md", import.meta.url);
    const report = `${INTRODUCTION}\n\`\`\`text\n${withoutChance(stdout, server.url)}\`\`\`\n`;
    if (process.env["UPDATE_REPORT"]) writeFileSync(page, report);
    expect(readFileSync(page, "utf8"), "run this test with UPDATE_REPORT=1").toBe(report);
  });

  it("--write finds a file that cannot be written before the first request", async () => {
    const server = await started();
    const folder = newFolder();
    const { stderr, code } = await check(server, "--write", folder);
    expect([stderr, code]).toEqual([`billing conformance: --write ${folder}: illegal operation on a directory.\n`, 2]);
    expect(server.mock.requests.list()).toEqual([]);
  });

  it("--write leaves the file as it is if no assumption was observed, and says which part it covers", async () => {
    const server = await started();
    const file = fileWith("before");
    const none = await check(server, "--only", "ERR-1", "--write", file);
    expect(none.stderr).toContain(`${file} was not written, because no assumption was observed.`);
    const stopping = await started();
    stopping.mock.fault({ operation: "events:ingest", status: 429, headers: { "retry-after": "9999" }, skip: 9 });
    const ended = await check(stopping, "--only", "G-EVT-*,G-NULL", "--write", file);
    expect(ended.stderr).toContain(`${file} was not written, because the run is not complete.`);
    expect([none.code, ended.code]).toEqual([1, 1]);
    expect(readFileSync(file, "utf8")).toBe("before");
    const partial = ["--only", "G-EVT-CUST,G-NULL", "--max-requests", "9", "--write", file];
    const { stdout, stderr } = await check(server, ...partial);
    expect(stdout).toContain(`Wrote ${file}, from 1 of 2 assumptions; for the others, the mock keeps its defaults`);
    expect(stderr).toContain(`${file} covers only 1 of 2 assumptions, because the run reached 9 requests.`);
    expect(readFileSync(file, "utf8")).toBe("{}\n");
  });
});

/** Returns a report without what differs from run to run. */
function withoutChance(report: string, url: string): string {
  return report
    .replaceAll(url, "http://127.0.0.1:4010")
    .replaceAll(/(?<=conformance-)[\da-f]{8}/g, "00000000")
    .replace(/ · \d{4}-\S+Z · (\d+ requests) · .*/, " · 2026-01-01T00:00:00.000Z · $1 · 1 s");
}

test.each([
  [["--only", "ERR 3"], "--only must be an array of ids"],
  [["--only", "ERR-3,GET-22"], '--only must name rules or assumptions that have a check; received "GET-22"'],
  [["--receiver", "https://tunnel.example"], "also need --trigger"],
  [["--receiver", "https://user:pw@tunnel.example", "--trigger", "true"], "--receiver must have an absolute `url`"],
  [["--version", "1999-01"], '--version: unknown API version "1999-01"'],
])("rejects %j", async (more, message) => {
  const { stderr, code } = await billing([...foreign("http://127.0.0.1:9"), ...more]);
  expect([stderr, code]).toEqual([expect.stringContaining(message), 2]);
});
