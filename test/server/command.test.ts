import { execFile } from "node:child_process";
import type { Socket } from "node:net";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readArguments } from "../../cli/mock/arguments.ts";
import { createEngine } from "../../mock/api/engine.ts";
import { connectMock } from "../../mock/connect.ts";
import { billing, fileWith, type Ready, ready, readyProcess, start } from "../support/command.ts";
import { startLocalServer } from "../support/local-server.ts";
import { begin, isOpen, read } from "../support/raw-socket.ts";
import { CURRENT, DEPRECATED, NEXT } from "../support/versions.ts";

const EVENTS = JSON.stringify({ events: [] });

/** Starts a request that gets its response when `EVENTS` is sent completely. */
function ingesting({ url, tokens }: Pick<Ready, "url" | "tokens">): Promise<Socket> {
  const headers = { ...bearer(tokens.oat).headers, "content-type": "application/json" };
  return begin(url, "POST /v1/events/ingest", { ...headers, "content-length": String(EVENTS.length) });
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** Ingests events with these fields, and returns the status. */
async function ingest({ url, tokens }: Pick<Ready, "url" | "tokens">, ...given: readonly object[]): Promise<number> {
  const events = given.map((fields) => ({ name: "api.call", external_customer_id: "acme", ...fields }));
  const headers = { ...bearer(tokens.oat).headers, "content-type": "application/json" };
  const body = JSON.stringify({ events });
  return (await fetch(`${url}/v1/events/ingest`, { method: "POST", headers, body })).status;
}

test("prints its URL, a token of each type, and a curl command that works", async () => {
  const running = start(["mock", "--port", "0", "--stdin"]);
  const text = await running.printed(/curl .*\n/);
  expect(text).toMatch(/listening at http:\/\/127\.0\.0\.1:\d+\n/);
  for (const type of ["oidc", "pat", "oat"]) expect(text).toMatch(new RegExp(`^  ${type} +billing_${type}_\\w+$`, "m"));
  expect(text).toContain(`${DEPRECATED} Deprecated, ${CURRENT} Current, ${NEXT} Next`);
  expect(text).not.toContain("\u001b");
  const [line] = /curl .*/.exec(text) as RegExpExecArray;
  const { stdout } = await promisify(execFile)("sh", ["-c", line]);
  expect(stdout).toBe('{"inserted":1,"duplicates":0}');
  running.stdin.end();
  expect(await running.ended).toMatchObject({ stderr: "", code: 0 });
});

test("--seed-data creates records and tokens, which a reset restores", async () => {
  const id = "5a0e1f52-6f0c-4f5e-9a53-0d2f6c8b7e11";
  const seed = {
    organizations: [{ id, slug: "acme" }],
    customers: [{ organization_id: id, external_id: "c-1" }],
    oauthClients: [{ client_id: "my-app" }],
    products: [{ name: "Pro", organization_id: id, price: 5 }],
    webhookEndpoints: [{ organization_id: id, url: "http://localhost:3000/hooks" }],
    tokens: [{ token: "dev-token", organization: "acme" }],
  };
  // A byte order mark may stand at the start.
  const { url } = await ready(["--seed-data", fileWith(`\uFEFF${JSON.stringify(seed)}`)]);
  const mock = connectMock(url);
  await mock.customers.create();
  await mock.reset();
  expect(await mock.customers.list()).toMatchObject([{ external_id: "c-1" }]);
  expect(await mock.oauthClients.get("my-app")).toBeDefined();
  const response = await fetch(`${url}/v1/products/`, bearer("dev-token"));
  expect(await response.json()).toMatchObject({ items: [{ name: "Pro", price: 5 }] });
});

test("--now starts the clock at a time, from which it runs on", async () => {
  const { url } = await ready(["--now", "2025-03-01T01:00:00+01:00"]);
  const mock = connectMock(url);
  const start = Date.parse("2025-03-01T00:00:00Z");
  const time = (await mock.clock.now()).getTime();
  expect(time).toBeGreaterThanOrEqual(start);
  expect(time).toBeLessThan(start + 20_000);
  await expect.poll(async () => (await mock.clock.now()).getTime()).toBeGreaterThan(time);
});

test.each([
  [["--prot", "1"], 'unknown option "--prot". Did you mean "--port"?'],
  [["--port", "65536"], '--port must be an integer from 0 to 65535, not "65536".'],
  [["--seed", "-5"], '--seed has no value. If it begins with "-", write --seed=<value>.'],
  ...["tomorrow", "2025-03-01T00:00:00", "2025-13-01", "2025-02-30T00:00:00Z"].map((time): [string[], string] => [
    ["--now", time],
    `--now must be a date, or a date and time with a time zone, such as 2025-03-01T00:00:00Z, not "${time}".`,
  ]),
])("%j is rejected in one line", async (args, line) => {
  expect(await billing(["mock", ...args])).toEqual({ stdout: "", stderr: `billing mock: ${line}\n`, code: 2 });
});

test.each([
  [["--seed=-5", "--strict"], { seed: -5, strict: true }],
  [["--max-events", "2"], { maxEvents: 2 }],
  [["--host", ""], { host: "127.0.0.1" }],
])("%j sets %j", (args, options) => {
  expect(readArguments(args, {})).toMatchObject(options);
});

test.each([
  ["{", "not valid JSON: Expected property name"],
  ["[]", "must contain a JSON object."],
  [{ userz: [] }, 'unknown field "userz". Did you mean "users"?'],
  [{ users: {} }, "users: must be an array."],
  [{ users: [{}, { mail: "x" }] }, 'users[1]: user: unknown field "mail". Did you mean "email"?'],
  [{ webhookEndpoints: [{ events: ["x"] }] }, 'webhookEndpoints[0]: webhook endpoint: unknown event type "x"'],
  [{ tokens: [{ token: "a" }, { token: "a" }] }, "tokens[1]: issueToken: the given `token` was already issued."],
])("the seed file %j is rejected with the record and the field", async (content, problem) => {
  const file = fileWith(typeof content === "string" ? content : JSON.stringify(content));
  const { stderr, code } = await billing(["mock", "--port", "0", "--seed-data", file]);
  expect(stderr.split("\n")).toHaveLength(2);
  expect([stderr.slice(0, 37 + problem.length), code]).toEqual([`billing mock: --seed-data seed.json: ${problem}`, 2]);
});

test("a port in use prints one line on stderr and exits with 2", async () => {
  const { port } = await startLocalServer(() => {});
  const { stdout, stderr, code } = await billing(["mock", "--port", String(port)]);
  expect([stdout, code]).toEqual(["", 2]);
  expect(stderr).toMatch(/^billing mock: listen EADDRINUSE.* Choose another address with --port .*\n$/);
});

test("the password comes from the environment and is not printed", async () => {
  const { url, stdin, ended } = await ready([], { BILLING_MOCK_PASSWORD: "s3cret" });
  expect((await fetch(`${url}/__mock/versions`)).status).toBe(401);
  expect((await fetch(`${url}/__mock/versions`, bearer("s3cret"))).status).toBe(200);
  stdin.end();
  expect((await ended).stdout).not.toContain("s3cret");
});

test.each(["SIGINT", "SIGTERM"] as const)("%s waits for pending responses and exits with 0", async (signal) => {
  const { process, ended, ...served } = await readyProcess();
  const socket = await ingesting(served);
  process.kill(signal);
  await expect.poll(() => isOpen(served.url)).toBe(false);
  const answer = read(socket);
  socket.write(EVENTS);
  expect((await answer).text).toMatch(/^HTTP\/1.1 200 OK\r\n(.+\r\n)*Connection: close\r\n/i);
  expect(await ended).toMatchObject({ stderr: "", code: 0 });
});

test("--stdin stops the server when its parent closes stdin", async () => {
  const { stdin, ended } = await ready();
  stdin.end("anything");
  expect(await ended).toMatchObject({ stderr: "", code: 0 });
});

test("a second signal exits immediately", async () => {
  const { process, ended, ...served } = await readyProcess();
  const answer = read(await ingesting(served));
  process.kill("SIGTERM");
  await expect.poll(() => isOpen(served.url)).toBe(false);
  process.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 143 });
  expect(await answer).toMatchObject({ text: "", ending: expect.not.stringMatching("open") });
});

test("--seed and --no-control have their effect", async () => {
  const { url, tokens, control } = await ready(["--seed", "7", "--no-control"]);
  expect(tokens.oidc).toBe(createEngine({ seed: 7 }).mock.issueToken({ type: "oidc" }));
  expect([control, (await fetch(`${url}/__mock/versions`)).status]).toEqual([null, 404]);
});

test("--assumptions takes a JSON file, which overrides --strict", async () => {
  const chosen = { nullFields: "accept", maxBatchSize: 1, unknownFields: "ignore" };
  const served = await ready(["--strict", "--assumptions", fileWith(JSON.stringify(chosen))]);
  expect(await connectMock(served.url).assumptions).toMatchObject({ ...chosen, unknownCustomers: "reject" });
  const event = { external_id: null };
  expect([await ingest(served, event), await ingest(served, event, event)]).toEqual([200, 422]);
});

test("--middleware loads a module that answers requests", async () => {
  const source = "export default async (_, next) => new Response(null, { status: (await next()).status + 1 });";
  const served = await ready(["--middleware", fileWith(source, "service.mjs")]);
  expect((await fetch(`${served.url}/v1/products/`)).status).toBe(402);
  for (const [path, problem] of [
    ["none.mjs", "--middleware cannot load none.mjs"],
    [fileWith("export default 5;", "five.mjs"), "must be a function."],
  ] as const) {
    expect((await billing(["mock", "--middleware", path])).stderr).toContain(problem);
  }
});

test("prints each ignored field once", async () => {
  const { stdin, ended, ...served } = await ready();
  for (const event of [{ external_Id: "1" }, { external_Id: "2" }, {}, { "\u001b[31mred": 1 }])
    expect(await ingest(served, event)).toBe(200);
  stdin.end();
  expect((await ended).stderr).toBe(
    "billing mock: events:ingest ignored the unknown field body.events[].external_Id; did you mean external_id?\n" +
      "billing mock: events:ingest ignored the unknown field body.events[].\\u001b[31mred\n",
  );
});
