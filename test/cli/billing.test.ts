import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { billing, fileWith } from "../support/command.ts";
import { NEXT } from "../support/versions.ts";

test("--help lists every command, and each command has its own help with its exit codes", async () => {
  const { stdout, code } = await billing(["--help"]).ended;
  expect(code).toBe(0);
  const commands = [...stdout.matchAll(/^ {2}(\w+) {2,}[A-Z]/gm)].map(([, name]) => name as string);
  expect(commands).toEqual(["mock", "ingest", "trigger", "verify", "conformance", "upgrade"]);
  for (const name of commands) {
    const own = await billing([name, "--help"]).ended;
    expect(own).toMatchObject({ code: 0, stderr: "" });
    expect(own.stdout).toMatch(new RegExp(`^billing ${name}: `));
    expect(own.stdout).toContain("Exit codes: 0 ");
    expect(Math.max(...own.stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(110);
  }
});

test("--version prints the version of the package", async () => {
  expect(await billing(["--version"]).ended).toMatchObject({ stdout: `${manifest.version}\n`, code: 0 });
});

const env = { BILLING_TOKEN: "token", WEBHOOK_SECRET: "whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=" };
const expected = "expected one of: mock, ingest, trigger, verify, conformance, upgrade.";
const misspelled = ["mock", "--assumptions", fileWith('{ "nullField": "accept" }')];
const nested = ["mock", "--seed-data", fileWith(`{"products":[{"name":${"[".repeat(5e4)}${"]".repeat(5e4)}}]}`)];
const pasted = "expected an HTTP request (headers, an empty line, the body), or JSON with headers and body";

test.each([
  ["billing: no command given; see billing --help."],
  ["billing: Unknown command 'trigge'. Did you mean 'trigger'?", ["trigge"]],
  [`billing: Unknown command '__proto__'; ${expected}`, ["__proto__"]],
  ['billing mock: --assumptions seed.json: unknown field "nullField". Did you mean "nullFields"?', misspelled],
  [
    "billing mock: --cors must be *, or an origin such as http://localhost:5173.\n",
    ["mock", "--cors", "https://a:b@c"],
  ],
  ["billing mock: --seed-data seed.json: products[0]: product cannot be serialized as JSON: Maximum call", nested],
  ["billing ingest: no file given; pass its path, or - for stdin.", ["ingest"]],
  ["billing ingest: expected 1 argument; received 2. Quote values with spaces.", ["ingest", "a", "b"]],
  ["billing ingest: /nowhere.jsonl: not found.", ["ingest", "/nowhere.jsonl", "--base-url", "http://127.0.0.1"]],
  [`billing ingest: --version: unknown API version "${NEXT}0". Did you mean`, ["ingest", "-", "--version", `${NEXT}0`]],
  ["billing ingest: --base-url must be an absolute URL with http: or https:", ["ingest", "-", "--base-url", "a"]],
  ["billing ingest: --base-url is missing; pass the base URL of", ["ingest", "-"]],
  ["billing ingest: BILLING_TOKEN is not set. Set it to an access token", ["ingest", "-"], "", { BILLING_TOKEN: "" }],
  ["billing ingest: BILLING_TOKEN must ", ["ingest", "-", "--base-url", "http://a"], "", { BILLING_TOKEN: "to\nken" }],
  ["billing trigger: no event type given; pass one, such as order.paid.", ["trigger"]],
  ["billing trigger: --data is not JSON: ", ["trigger", "order.paid", "--data", "{id: 1}"]],
  ["billing trigger: --data: the number 1", ["trigger", "order.paid", "--data", "12345678901234567"]],
  ["billing trigger: --url must be the base URL of a mock, ", ["trigger", "a", "--url", "http://user:pw@127.0.0.1"]],
  [`billing verify: the delivery is empty; ${pasted}.`, ["verify"]],
  [`billing verify: the JSON must have "headers" (an object) and "body"; ${pasted}.`, ["verify"], '{"type":"a"}'],
  ["billing verify: the delivery starts like JSON but is not JSON: ", ["verify"], "{"],
  ["billing verify: the request has no empty line between its headers and", ["verify"], "POST / HTTP/1.1\nHost: a"],
  ["billing verify: the body is in chunks", ["verify"], "transfer-encoding: chunked\n\n2\r\n{}\r\n0\r\n\r\n"],
  ["billing verify: line 2 of the request is not a header;", ["verify"], "POST / HTTP/1.1\nno header\n\n{}"],
  ["billing verify: --received must be a date, or a date and time with a", ["verify", "--received", "noon"]],
  ['billing upgrade: --to: unknown API version "1999-01"; expected one of: 20', ["upgrade", "--to", "1999-01"]],
  ["billing upgrade: --to is missing; expected one of: 20", ["upgrade"]],
  ["billing upgrade: package.json: this is not a folder.", ["upgrade", "package.json", "--to", NEXT]],
])("%s", async (line, args: string[] = [], stdin = "", more: object = {}) => {
  const { stdout, stderr, code } = await billing(args, { ...env, ...more }, stdin).ended;
  expect({ stdout, code }).toEqual({ stdout: "", code: 2 });
  expect(stderr.startsWith(line), stderr).toBe(true);
  expect(stderr).toMatch(/^[^\n]+\n$/);
});
