import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { signWebhook } from "#current/webhooks";
import manifest from "../../package.json" with { type: "json" };
import { billing, billingFile, fileWith, spawnBilling } from "../support/command.ts";
import { startLocalServer } from "../support/local-server.ts";
import { started } from "../support/started-server.ts";
import { NEXT } from "../support/versions.ts";
import { events, usageFile } from "./ingest-support.ts";

const SECRET = "whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=";

test("--help lists every command, and each command has its own help with its exit codes", async () => {
  const { stdout, code } = await billing(["--help"]);
  expect(code).toBe(0);
  const commands = [...stdout.matchAll(/^ {2}(\w+) {2,}[A-Z]/gm)].map(([, name]) => name as string);
  expect(commands).toEqual(["mock", "ingest", "trigger", "verify", "conformance"]);
  for (const name of commands) {
    const own = await billing([name, "--help"]);
    expect(own).toMatchObject({ code: 0, stderr: "" });
    expect(own.stdout).toMatch(new RegExp(`^billing ${name}: [^]*Exit codes: 0 `));
    expect(Math.max(...own.stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(110);
  }
});

test("--version prints the version of the package", async () => {
  expect(await spawnBilling(["--version"]).ended).toEqual({ stdout: `${manifest.version}\n`, stderr: "", code: 0 });
});

const env = { BILLING_TOKEN: "token", WEBHOOK_SECRET: SECRET };
const misspelled = ["mock", "--assumptions", fileWith('{ "nullField": "accept" }')];
const latin1 = ["mock", "--seed-data", fileWith(Buffer.from('{"é":1}', "latin1"))];
const compressed = ["mock", "--seed-data", fileWith(gzipSync("{}"))];
const written = [".rejected", ".progress"].map((ending): [string, string[]] => {
  const path = fileWith("", `usage.jsonl${ending}`);
  const line = `billing ingest: ${path}: this command writes files that end in ${ending}, and never sends them`;
  return [line, ["ingest", path, "--base-url", "http://127.0.0.1:9"]];
});

test.each([
  ["billing: no command given; see billing --help."],
  ['billing: unknown command "trigge". Did you mean "trigger"?', ["trigge"]],
  ['billing: unknown command "__proto__"; expected one of: mock,', ["__proto__"]],
  ["billing mock: --assumptions seed.json: assumptions: unknown field", misspelled],
  [`billing mock: --seed-data ${latin1[2]}: the encoding is neither UTF-8 nor UTF-16`, latin1],
  [`billing mock: --seed-data ${compressed[2]}: compressed with gzip; decompress it first.`, compressed],
  ["billing mock: --json does not take a value.", ["mock", "--json=yes"]],
  ["billing ingest: no file given; pass its path, or - for stdin.", ["ingest"]],
  ["billing ingest: expected 1 argument without an option; received 2. Quote", ["ingest", "a", "b"]],
  ["billing ingest: /nowhere: no such file or directory.", ["ingest", "/nowhere", "--base-url", "http://127.0.0.1"]],
  ...written,
  [`billing ingest: --version: unknown API version "${NEXT}0". Did you mean`, ["ingest", "-", "--version", `${NEXT}0`]],
  ["billing ingest: --base-url must be an absolute URL with http: or https:", ["ingest", "-", "--base-url", "a"]],
  ["billing ingest: --base-url is missing; pass the base URL of", ["ingest", "-"]],
  ["billing ingest: BILLING_TOKEN is not set. Set it to an access token", ["ingest", "-"], "", { BILLING_TOKEN: "" }],
  ["billing ingest: BILLING_TOKEN must ", ["ingest", "-", "--base-url", "http://a"], "", { BILLING_TOKEN: "to\nken" }],
  ["billing trigger: no event type given; pass one, such as order.paid.", ["trigger"]],
  ["billing trigger: --data is not JSON: ", ["trigger", "order.paid", "--data", "{id: 1}"]],
  ["billing trigger: --data: the number 1", ["trigger", "order.paid", "--data", "12345678901234567"]],
  ["billing trigger: connectMock: `url` must be an http: URL ", ["trigger", "a", "--url", "http://user:pw@127.0.0.1"]],
])("%s", async (line, args: string[] = [], stdin = "", more: object = {}) => {
  const { stdout, stderr, code } = await billing(args, { ...env, ...more }, stdin);
  expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
  expect(stderr.startsWith(line), stderr).toBe(true);
  expect(stderr).toMatch(/^[^\n]+\n$/);
});

const ESCAPES = "\u001b]0;title\u0007\u009b31m\u202e";

/** Whether a text contains a character that controls a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there.
const controls = (text: string) => /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/.test(text);

test.skipIf(process.platform === "win32")("does not print control characters of others", async () => {
  const other = await startLocalServer((_, response) => {
    response.writeHead(403, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: "Invalid", detail: `no ${ESCAPES}` }));
  });
  const { url } = await started();
  const delivery = JSON.stringify(await signWebhook({ type: ESCAPES, data: {} } as never, { secret: SECRET }));
  const service = ["--base-url", other.origin, "--retry-for", "0"];
  const outputs = await Promise.all([
    billing(["trigger", "order.paid", "--url", other.origin]),
    billing(["trigger", ESCAPES, "--url", url]),
    billing(["ingest", `/nowhere/${ESCAPES}`, ...service], env),
    billing(["ingest", usageFile(events(1).join("\n")).path, ...service], env),
    billing(["verify"], env, delivery),
    billing(["verify", "--json"], env, delivery),
    billing([ESCAPES]),
  ]);
  for (const { stdout, stderr } of outputs) {
    expect(`${stdout}${stderr}`).toContain("\\u009b31m");
    expect(controls(stdout + stderr)).toBe(false);
  }
});

/** Runs a shell script in which `"$0"` is Node.js and `"$1"` the command. */
function shell(script: string): { stdout: string; stderr: string; status: number | null } {
  return spawnSync("bash", ["-c", script, process.execPath, billingFile], { encoding: "utf8", timeout: 10_000 });
}

test.skipIf(process.platform === "win32")("ends quietly when nobody reads its output", () => {
  expect(shell('set -o pipefail; "$0" "$1" mock --port 0 | true')).toMatchObject({ stderr: "", status: 0 });
});

test.runIf(existsSync("/dev/full"))("says in one line that stdout cannot be written", () => {
  const stderr = "billing mock: cannot write to stdout: ENOSPC: no space left on device, write.\n";
  expect(shell('"$0" "$1" mock --port 0 > /dev/full')).toMatchObject({ stderr, status: 1 });
  expect(shell('"$0" "$1" frobnicate > /dev/full 2> /dev/full').status).toBe(2);
});

test.skipIf(process.platform === "win32")("an ingestion whose disk is full leaves no lock", () => {
  const { path } = usageFile("{}");
  const args = `ingest ${path} --base-url http://127.0.0.1:9`;
  const { stderr, status } = shell(`ulimit -f 0; BILLING_TOKEN=token "$0" "$1" ${args}`);
  expect([stderr, status]).toEqual([expect.stringContaining(`cannot write ${path}.lock: file too large.`), 1]);
  expect(readdirSync(dirname(path))).toEqual(["usage.jsonl"]);
});
