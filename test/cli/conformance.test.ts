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

it("the exit code is 1 if an endpoint is left enabled, and names it", async () => {
  const server = await started();
  server.mock.fault({ operation: "webhooks:update_webhook_endpoint", status: 500 });
  const { stderr, code } = await check(server, "--only", "WHE-1", ...ONLY_CURRENT);
  expect(leftEnabled(server)).not.toEqual([]);
  for (const { id } of leftEnabled(server)) expect(stderr).toContain(id);
  expect(code).toBe(1);
});

it.skipIf(process.platform === "win32")("the exit code is 130 after Ctrl+C, with the endpoints disabled", async () => {
  const server = await started();
  server.mock.fault({ delay: 10 });
  const running = spawnBilling([...against(server), "--only", "WHE-*,GET-*"]);
  await expect.poll(() => server.mock.webhookEndpoints.list().length).toBeGreaterThan(0);
  running.process.kill("SIGINT");
  expect(await running.ended).toMatchObject({ code: 130, stdout: expect.stringContaining("interrupted") });
  expect(leftEnabled(server)).toEqual([]);
});

// TEST-NET-1 (RFC 5737) reaches nothing.
it.each([
  [[], 2, "with --yes"],
  [["--yes"], 1, "nothing could be observed"],
])("another machine with %j ends with %i", async (more, expected, message) => {
  const quickly = ["--timeout", "50", "--requests-per-second", "1000"];
  const { stderr, code } = await billing([...foreign("http://192.0.2.1:9"), ...quickly, ...more]);
  expect({ stderr, code }).toEqual({ stderr: expect.stringContaining(message), code: expected });
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
  it("are never arguments, and no message shows one", async () => {
    const { stdout, stderr, code } = await billing([...to(), "--tokens", "billing_oat_0123456789abcdef"]);
    expect([stdout, stderr, code]).toEqual(["", expect.not.stringContaining("0123456789"), 2]);
  });

  it.each([
    `"${SECRET}`,
    JSON.stringify([{ kind: "oat", token: SECRET, [SECRET]: 1 }]),
    JSON.stringify([{ kind: SECRET, token: "oat" }]),
    JSON.stringify([{ kind: "oat", token: "oat", scopes: SECRET }]),
    JSON.stringify([{ kind: "oat", token: `${SECRET} ` }]),
  ])("a file with %s is rejected without showing it", async (text) => {
    const { stderr, code } = await billing([...to(), "--tokens", fileWith(text)]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^billing conformance: --tokens(: |\[0\]).+\n$/);
    expect(stderr).not.toContain(SECRET);
  });

  it("come from the environment", async () => {
    const { url, mock } = await started();
    const { stdout, code } = await billing([...to(url), "--only", "ING-1"], { BILLING_OAT_TOKEN: mock.issueToken() });
    expect([stdout, code]).toEqual([expect.stringContaining("1 hold"), 0]);
  });
});

describe("reports", () => {
  it("--write finds what a hidden service does otherwise, as createMock and billing mock take it", async () => {
    const hidden = { unknownCustomers: "reject", maxBatchSize: 250, eventName: { maxLength: 64 } } as const;
    const server = await started({ assumptions: hidden });
    const file = join(newFolder(), "assumptions.json");
    const { stdout, stderr, code } = await check(server, ...ONLY_CURRENT, "--json", "--write", file);
    expect(stderr).toMatch(/^Sends requests to http:\/\/127\.0\.0\.1:\d+\. Writes .*events.*\.\n$/);
    expect(stdout).not.toMatch(/\n.|billing_\w+_|whsec_/);
    expect(JSON.parse(stdout)).toMatchObject({ baseUrl: server.url, aborted: false, leftEnabled: [], choices: hidden });
    const written = JSON.parse(readFileSync(file, "utf8"));
    expect([code, written, leftEnabled(server)]).toEqual([0, hidden, []]);
    expect(createMock({ assumptions: written }).assumptions).toEqual(server.mock.assumptions);
  });

  it("prints the report in the examples", async () => {
    const assumptions = { unknownCustomers: "reject", maxBatchSize: 250, nullFields: "accept" } as const;
    const server = await started({ seed: 1, assumptions });
    server.mock.fault({ operation: "products:list", status: 200, body: { error: "Unavailable" } });
    const { stdout, code } = await check(server, ...ONLY_CURRENT);
    expect(code).toBe(3);
    const path = new URL("../../examples/conformance-report.md", import.meta.url);
    const page = readFileSync(path, "utf8");
    const expected = page.replace(/(?<=```text\n)[^`]*/, () => withoutChance(stdout, server.url));
    if (process.env["UPDATE_REPORT"]) writeFileSync(path, expected);
    expect(page, "run this test with UPDATE_REPORT=1").toBe(expected);
  });

  it("--write finds a file that cannot be written before the first request", async () => {
    const server = await started();
    const folder = newFolder();
    const { stderr, code } = await check(server, "--write", folder);
    expect([stderr, code]).toEqual([`billing conformance: --write ${folder}: illegal operation on a directory.\n`, 2]);
    expect(server.mock.requests.list()).toEqual([]);
  });

  it("--write leaves the file as it is if the run is not complete", async () => {
    const server = await started();
    const file = fileWith("before");
    server.mock.fault({ operation: "events:ingest", status: 429, headers: { "retry-after": "9999" }, skip: 3 });
    const { stderr, code } = await check(server, "--only", "G-NULL,G-FIELDS,G-EVT-CUST,G-EVT-DUP", "--write", file);
    expect(stderr).toContain(`${file} was not written, because the run is not complete.`);
    expect([code, readFileSync(file, "utf8")]).toEqual([1, "before"]);
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
  [["--only", "ERR/3"], "--only must be ids"],
  [["--only", "ERR-3,GET-22"], '--only: no rule or assumption has the id "GET-22"'],
  [["--base-url", "https://user:secret_1@sandbox.example"], "--base-url must be"],
  [["--endpoint", "../products"], "--endpoint must be an id"],
  [["--event-type", "order.payd"], "--event-type must be an event type"],
  [["--receiver", "https://tunnel.example"], "also need --trigger"],
  [["--receiver", "https://user:pw@tunnel.example", "--trigger", "true"], "--receiver must be an absolute URL"],
  [["--version", "1999-01"], '--version: unknown API version "1999-01"'],
])("rejects %j", async (more, message) => {
  const { stderr, code } = await billing([...foreign("http://127.0.0.1:9"), ...more]);
  expect([stderr, code]).toEqual([expect.stringContaining(message), 2]);
  expect(stderr).not.toContain("secret_1");
});
