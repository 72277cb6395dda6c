import type { RequestListener } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { type ConformanceOptions, planConformance, runConformance } from "../../conformance/index.ts";
import { startLocalServer } from "../support/local-server.ts";
import { CURRENT } from "../support/versions.ts";
import { answers, deviating, requests } from "./deviating.ts";
import { type ObservedMock, observe, observedMock, observedServer } from "./observed-mock.ts";

const json =
  (body: string): RequestListener =>
  (_, response) =>
    void response.setHeader("content-type", "application/json").end(body);

const SERVERS: readonly (readonly [what: string, listener: RequestListener])[] = [
  ["answers 429 without end", (_, response) => void response.writeHead(429, { "retry-after": "9999" }).end()],
  ["asks to wait without end", (_, response) => void response.writeHead(429, { "retry-after": "60" }).end()],
  ["hangs", () => undefined],
  ["sends a body without end", (_, response) => void setInterval(() => response.write("x".repeat(65_536)), 1).unref()],
  ["answers null", json("null")],
  ["repeats the token", ({ headers }, response) => void response.end(`{"error":"${headers.authorization?.slice(7)}"}`)],
];

const tokens: ConformanceOptions["tokens"] = [
  ...(["oat", "pat", "oidc"] as const).map((kind) => ({ kind, token: `secret_${kind}` })),
  ...["openid", "webhooks:read"].map(
    (scope) => ({ kind: "oat", scopes: [scope], token: `secret_oat_part_${scope}` }) as const,
  ),
];

const versions = [CURRENT];
const listed = ({ mock }: ObservedMock) => mock.webhookEndpoints.list();
const enabled = (service: ObservedMock) => listed(service).filter((each) => each.enabled);

it.each(SERVERS)("a server that %s gets an honest report", async (_what, listener) => {
  const { origin } = await startLocalServer(listener);
  let waited = 0;
  const sleep = async (milliseconds: number) => {
    waited += milliseconds;
  };
  const report = await runConformance({ baseUrl: origin, tokens, timeout: 200, sleep });
  expect(waited).toBeLessThanOrEqual(3 * 2 * 60_000);
  const holding = report.rules.filter(({ outcome }) => outcome === "holds").map(({ id }) => id);
  expect(holding.filter((id) => id !== "ENV-3" && id !== "PRD-1")).toEqual([]);
  expect(report.assumptions.filter(({ outcome, name }) => outcome === "observed" && name !== "cors")).toEqual([]);
  expect(report).toMatchObject({ choices: {}, aborted: false });
  // It may have created an endpoint, unless it says otherwise.
  for (const name of report.leftEnabled) expect(name).toMatch(/^conformance /);
  expect(JSON.stringify(report)).not.toMatch(/secret_|part_/);
});

const DATA = ["john.smith", "acme_corp", "JohnSmith", "+49-170-1234567", "4111-1111-1111-1111", "application/json Ada"];

it.each(DATA)("a report does not show that a field is %s", async (value) => {
  const observed = observedMock({}, 0);
  const change = answers(/endpoints$/, ({ body }) => (body.created_at = value));
  const fetch = deviating(observed.mock, change);
  const report = JSON.stringify(await observe(observed, { fetch, versions, only: ["WHE-8"] }));
  expect(report).toContain(`body.created_at: a string of ${value.length} characters`);
});

it.each([
  ["demands a long name", 0, { loc: ["body", "events", 0, "name"], ctx: { min_length: 3e6 } }],
  ["names a long limit", 1, { loc: ["body", "events", 0, "name"], ctx: { max_length: 3e6 } }],
  ["misses a field with a long name", 0, { loc: ["body", "events", 0, "x".repeat(3e6)], type: "missing" }],
  ["names a long field and type", 1, { loc: ["body", "x".repeat(3e6)], type: "y|z\n# h".repeat(1e5) }],
])("a 422 that %s changes neither the size of requests nor of the report", async (_what, accepted, problem) => {
  let [count, longest] = [0, 0];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    longest = Math.max(longest, String(init?.body).length);
    if (count++ < accepted) return Response.json({ inserted: 1, duplicates: 0 });
    return Response.json({ detail: [{ type: "value_error", msg: "", ...problem }] }, { status: 422 });
  };
  const report = await observe(observedMock({}, 0), { fetch, versions, only: ["G-EVT-REQ"] });
  expect(longest).toBeLessThan(500_000);
  expect(JSON.stringify(report).length).toBeLessThan(10_000);
});

it.each([
  ["call", () => new Promise<never>(() => {})],
  ["body", async () => new Response(new ReadableStream())],
])("a run ends although the %s of its fetch never settles", async (_what, fetch) => {
  const report = await observe(observedMock({}, 0), { fetch, timeout: 20, versions, only: ["GET-2"] });
  expect(report.rules[0]?.reason).toBe("no response: timeout after 20 ms");
});

it("only deliveries to the receiver's own path count, of up to 1 MiB", async () => {
  const { options } = await observedServer();
  const { url = "" } = options.receiver ?? {};
  const statuses: number[] = [];
  const trigger = async (type: string, organization: string) => {
    for (const path of ["/favicon.ico", url]) statuses.push((await fetch(new URL(path, url))).status);
    const sent = { method: "POST", body: "x".repeat(1024 * 1024 + 1) };
    for (const path of ["/", url]) statuses.push((await fetch(new URL(path, url), sent)).status);
    return options.trigger?.(type, organization);
  };
  const report = await runConformance({ ...options, trigger, versions, only: ["DEL-1", "DEL-2", "DEL-7"] });
  expect(report.rules.map(({ outcome }) => outcome)).toEqual(["holds", "holds", "holds"]);
  expect(statuses.slice(0, 4)).toEqual([404, 404, 404, 413]);
});

describe("a run", () => {
  it("sends at most as many requests as its plan says, and as many as it may", async () => {
    const observed = observedMock();
    const plan = planConformance(observed.options);
    expect((await observe(observed)).requests).toBeLessThanOrEqual(plan.requests);
    const limited = await observe(observed, { maxRequests: 20 });
    expect(limited.rules.find(({ outcome }) => outcome === "fails")).toBeUndefined();
    // What it created is disabled beyond that.
    expect(limited.requests - limited.leftEnabled.length).toBeLessThanOrEqual(24);
  });

  it("leaves nothing enabled, whenever it is interrupted, and no record without its name", async () => {
    const service = observedMock({}, 0);
    const given = { versions, only: ["WHE-*", "DEL-*", "webhooks:*"] };
    const { requests: all } = await observe(service, given);
    for (const { url, name } of listed(service)) expect(`${url} ${name}`).toContain("conformance");
    for (let last = 1; last <= all; last++) {
      const end = new AbortController();
      let count = 0;
      const fetch: typeof globalThis.fetch = (...request) => {
        if (++count === last) end.abort();
        return service.mock.fetch(...request);
      };
      const report = await observe(service, { ...given, signal: end.signal, fetch });
      expect(report).toMatchObject({ aborted: last < all ? true : expect.any(Boolean), leftEnabled: [] });
      expect(enabled(service)).toEqual([]);
    }
  });

  /** Returns a fetch that changes the responses to a method for endpoints. */
  const answering =
    ({ mock }: ObservedMock, chosen: "POST" | "PATCH", change: (response: Response) => Promise<Response> | Response) =>
    async (...request: Parameters<typeof globalThis.fetch>) => {
      const response = await mock.fetch(...request);
      const { method, url } = new Request(...(request as [string, RequestInit]));
      return method === chosen && url.includes("/v1/webhooks/") ? change(response) : response;
    };
  const losing = (_: Response) => Promise.reject(new TypeError("connection lost"));

  it.each([
    ["no response", "WHE-1", losing],
    ["no response to the client", "webhooks:create_webhook_endpoint", losing],
    ["a success without an id", "WHE-1", async (response: Response) => Response.json({ data: await response.json() })],
    ["a 504", "WHE-1", () => Response.json({}, { status: 504 })],
  ])("names each endpoint whose creation got %s", async (_what, id, change) => {
    const service = observedMock();
    // The client's call comes after the one that finds what the service accepts.
    const isChanged = () => id === "WHE-1" || listed(service).length > 1;
    const fetch = answering(service, "POST", (response) => (isChanged() ? change(response) : response));
    const { leftEnabled } = await observe(service, { fetch, only: [id], versions });
    expect(leftEnabled).toEqual(enabled(service).map(({ name }) => name));
    expect(leftEnabled.join()).toMatch(/^conformance [\da-f]{8} \d/);
  });

  it("does not show a token that is the id of an endpoint", async () => {
    const service = observedMock();
    const [{ token = "" } = {}] = service.options.tokens;
    const fetch = answering(service, "POST", () => Response.json({ id: token }, { status: 201 }));
    expect((await observe(service, { fetch, only: ["WHE-1"], versions })).leftEnabled).toEqual(["<token>"]);
  });

  it.each([
    ["ignores it", () => Response.json({}), 1],
    ["answers 204", () => new Response(null, { status: 204 }), 0],
  ])("reads whether an endpoint is disabled, if a service %s", async (_what, change, left) => {
    const service = observedMock();
    const fetch = answering(service, "PATCH", () => {
      for (const { id } of listed(service)) service.mock.webhookEndpoints.update(id, { enabled: left === 1 });
      return change();
    });
    const { leftEnabled } = await observe(service, { fetch, only: ["webhooks:get_webhook_endpoint"], versions });
    expect(leftEnabled).toHaveLength(left);
  });

  it("waits as a 429 asks and keeps its pace when it disables endpoints after it was aborted", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const service = observedMock();
    const end = new AbortController();
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => void waits.push(milliseconds);
    const reply = () => new Response(null, { status: 429, headers: { "Retry-After": "5" } });
    const isLimited = () => !waits.includes(5_000);
    const limited = deviating(service.mock, requests(/^PATCH/, reply, isLimited));
    const fetch: typeof globalThis.fetch = async (...request) => {
      const response = await limited(...request);
      if (listed(service).length > 0) end.abort();
      return response;
    };
    const given = { fetch, sleep, signal: end.signal, requestsPerSecond: 1, versions, only: ["WHE-1"] };
    expect(await observe(service, given)).toMatchObject({ aborted: true, complete: false, leftEnabled: [] });
    expect([new Set(waits), waits.filter((wait) => wait === 5_000)]).toEqual([new Set([1_000, 5_000]), [5_000]]);
  });

  it.each(["1.5", "-5", "soon", null])("waits before it sends a request again after Retry-After: %s", async (asked) => {
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => void waits.push(milliseconds);
    const fetch = async () => new Response(null, { status: 429, headers: asked ? { "Retry-After": asked } : {} });
    const report = await observe(observedMock(), { fetch, sleep, only: ["GET-2"], versions });
    expect(report.rules[0]?.reason).toContain(asked ? `with Retry-After: "${asked}"` : "with no Retry-After");
    expect([...new Set(waits)]).toEqual([asked === "1.5" ? 1_500 : 1_000]);
  });

  it("disables its endpoints if onProgress throws", async () => {
    const service = observedMock();
    const onProgress = ({ done }: { done: number }) => {
      if (done === 2) throw new RangeError("own error");
    };
    const run = observe(service, { onProgress, only: ["WHE-*"], versions });
    await expect(run).rejects.toThrow(new RangeError("own error"));
    expect(listed(service).map((each) => each.enabled)).toEqual([false]);
  });

  it("disables its endpoints if a sleep fails", async () => {
    const service = observedMock();
    const sleep = () => Promise.reject(new Error("own error"));
    const report = await observe(service, { sleep, requestsPerSecond: 500, versions, only: ["WHE-1"] });
    expect([report.leftEnabled, enabled(service)]).toEqual([[], []]);
    const other = await observe(observedMock(), { sleep, requestsPerSecond: 500, versions });
    expect(other.complete).toBe(false);
  });

  it("ingests no event unless it may, whatever the service accepts", async () => {
    const { mock, options } = observedMock();
    let ingested = 0;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { method, url, headers } = new Request(input as string, init);
      if (method !== "POST" || !url.endsWith("/ingest")) return mock.fetch(input, init);
      const isValid = options.tokens.some(({ token }) => headers.get("authorization") === `Bearer ${token}`);
      if (isValid && String(init?.body).includes("events")) ingested += 1;
      return Response.json({ inserted: 1, duplicates: 0 });
    };
    const ids = ["ING-*", "G-4*", "ERR-*", "G-BODY-MAX"];
    await runConformance({ ...options, fetch, allowWrites: false, only: ids, versions });
    expect(ingested).toBe(0);
    await runConformance({ ...options, fetch, only: ["G-ING-STATUS"], versions });
    expect(ingested).toBe(1);
  });

  it("uploads at most what its plan says to find the largest body", async () => {
    const { options } = observedMock({}, 0);
    let bytes = 0;
    const fetch: typeof globalThis.fetch = async (_, init) => {
      bytes += String(init?.body ?? "").length;
      return new Response("{}", { status: 422 });
    };
    const given = { ...options, fetch, baseUrl: "https://remote.example", only: ["G-BODY-MAX"], sleep: async () => {} };
    expect(planConformance(given).writes.join()).toContain("request bodies of up to 32 MiB in total");
    await runConformance(given);
    expect(bytes).toBeGreaterThan(10 * 1024 * 1024);
    expect(bytes).toBeLessThanOrEqual(32 * 1024 * 1024);
  });

  it("is complete unless it ended before all checks could run", async () => {
    const { options } = observedMock();
    const complete = async (given: Partial<ConformanceOptions>) =>
      (await runConformance({ ...options, only: ["GET-2", "GET-3"], ...given })).complete;
    expect(await complete({})).toBe(true);
    expect(await complete({ maxRequests: 2 })).toBe(false);
    expect(await complete({ fetch: () => Promise.reject(new TypeError("no network")) })).toBe(false);
  });

  it("waits as a 429 asks, and sends at most the requests per second that it may", async () => {
    const { mock, options } = observedMock({ rateLimit: { requests: 3, windowSeconds: 7 } });
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => {
      waits.push(milliseconds);
      await mock.clock.advance({ milliseconds });
    };
    const report = await runConformance({ ...options, sleep, only: ["GET-3", "ENV-2"], versions });
    expect(report.rules.map(({ outcome }) => outcome)).toEqual(["holds", "holds"]);
    expect(Math.max(...waits)).toBe(7_000);
    waits.length = 0;
    await runConformance({ ...options, sleep, only: ["GET-3"], versions, requestsPerSecond: 5 });
    expect(waits.filter((wait) => wait > 100 && wait <= 200).length).toBeGreaterThan(0);
  });

  it.each([
    [{ baseUrl: "sandbox" }, "baseUrl"],
    [{ baseUrl: "https://user:secret_1@sandbox.example" }, "baseUrl"],
    [{ origins: ["https://a:secret_1@b.example"] }, "origins must be an array of origins, such as"],
    [{ baseUrl: "https://sandbox.example/#" }, "baseUrl"],
    [{ baseUrl: "https://sandbox.example/?" }, "baseUrl"],
    [{ tokens: [{ token: "secret_1 ", kind: "oat" }] }, "tokens[0].token"],
    [{ tokens: [{ token: "oat", kind: "secret_1" }] }, "tokens[0].kind must be one of oat, pat, oidc; received string"],
    [{ tokens: [{ token: "secret_1", kind: "oat", scope: [] }] }, 'unknown field "scope"|tokens\\[0\\].scope'],
    [{ versions: ["1999-01"] }, "versions"],
    [{ timeOut: 1 }, "timeOut"],
  ])("rejects the options %j", async (given, path) => {
    const { options } = observedMock({}, 0);
    const error = await runConformance({ ...options, ...(given as object) }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name: "InvalidInputError" });
    expect(String(error)).toMatch(new RegExp(path.includes("|") ? path : path.replaceAll(/[[\].]/g, "\\$&")));
    expect(String(error)).not.toContain("secret_1");
  });
});
