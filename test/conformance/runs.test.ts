import type { RequestListener } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { runConformance } from "../../conformance/run.ts";
import type { ConformanceOptions, ConformanceReceiver } from "../../conformance/settings.ts";
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
  expect(holding.filter((id) => !["ENV-2", "ENV-3", "PRD-1"].includes(id))).toEqual([]);
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

it("only deliveries to the receiver's own path count, of up to 1 MiB", async () => {
  const { options } = await observedServer();
  const own = options.receiver as ConformanceReceiver;
  let url = "";
  const receive: ConformanceReceiver["receive"] = (given, handler) => {
    url = given;
    return own.receive(given, handler);
  };
  const statuses: number[] = [];
  const trigger = async (type: string, organization: string) => {
    for (const path of ["/favicon.ico", url]) statuses.push((await fetch(new URL(path, url))).status);
    const sent = { method: "POST", body: "x".repeat(1024 * 1024 + 1) };
    for (const path of ["/", url]) statuses.push((await fetch(new URL(path, url), sent)).status);
    return options.trigger?.(type, organization);
  };
  const given = { receiver: { url: own.url, receive }, trigger, versions, only: ["DEL-1", "DEL-2", "DEL-7"] };
  const report = await runConformance({ ...options, ...given });
  expect(report.rules.map(({ outcome }) => outcome)).toEqual(["holds", "holds", "holds"]);
  expect(statuses.slice(0, 4)).toEqual([404, 404, 404, 413]);
});

describe("a run", () => {
  it("leaves nothing enabled, whenever it is interrupted, and no record without its name", async () => {
    const service = observedMock({}, 0);
    const given = { versions, only: ["WHE-*", "DEL-*"] };
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
    ["no response", losing],
    ["a success without an id", async (response: Response) => Response.json({ data: await response.json() })],
    ["a 504", () => Response.json({}, { status: 504 })],
  ])("names each endpoint whose creation got %s", async (_what, change) => {
    const service = observedMock();
    const fetch = answering(service, "POST", change);
    const { leftEnabled } = await observe(service, { fetch, only: ["WHE-1"], versions });
    expect(leftEnabled).toEqual(enabled(service).map(({ name }) => name));
    expect(leftEnabled.join()).toMatch(/^conformance [\da-f]{8} \d/);
  });

  it("does not show a token that is the id of an endpoint", async () => {
    const service = observedMock();
    const [{ token = "" } = {}] = service.options.tokens;
    const fetch = answering(service, "POST", () => Response.json({ id: token }, { status: 201 }));
    expect((await observe(service, { fetch, only: ["WHE-1"], versions })).leftEnabled).toEqual(["<token>"]);
  });

  it("reads whether an endpoint is disabled, if a service answers 204", async () => {
    const service = observedMock();
    const fetch = answering(service, "PATCH", () => new Response(null, { status: 204 }));
    expect((await observe(service, { fetch, only: ["GET-1"], versions })).leftEnabled).toEqual([]);
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
});
