import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { createClient } from "#current";
import type { FaultKind } from "../../mock/faults/faults.ts";
import { createMock } from "../../mock/index.ts";
import { createMock as createNodeMock } from "../../mock/node.ts";
import { run } from "../support/program.ts";
import { CURRENT } from "../support/versions.ts";

const read = "webhooks:get_webhook_endpoint";

/** A short timeout for calls that never get a response. Other calls have a longer one. */
const patience = (name: string) => (name === "TimeoutError" ? { timeout: 250 } : {});

/** The kinds of faults, the error that ends a call, and the code of its cause if only some kinds have it. */
const KINDS: readonly (readonly [kind: FaultKind, name: string, code: string | undefined])[] = [
  ["reset", "NetworkError", "ECONNRESET"],
  ["truncated", "NetworkError", undefined],
  ["timeout", "TimeoutError", undefined],
];

function setUp(options = {}) {
  const mock = createMock({ seed: 1, ...options });
  const endpoint = mock.webhookEndpoints.create();
  const client = createClient({
    accessToken: mock.issueToken(),
    fetch: mock.fetch,
    maxRetries: 0,
    onResponseMismatch: "throw",
  });
  const get = (options = {}) => client.webhooks.getEndpoint(endpoint.id, options).safe();
  return { mock, client, endpoint, get };
}

describe("a fault", () => {
  it("runs the operation before a delay, also for a client that stops waiting, as a slow service does", async () => {
    const { mock, client } = setUp();
    mock.fault({ operation: "webhooks:create_webhook_endpoint", delay: 60_000, times: 1 });
    const create = () =>
      client.webhooks.createEndpoint({ url: "https://a.example", format: "raw", events: [] }, { timeout: 50 });
    await expect(create()).rejects.toMatchObject({ name: "TimeoutError" });
    await create();
    expect(mock.webhookEndpoints.size).toBe(3);
    expect(mock.requests.list().map(({ status }) => status)).toEqual([201, 201]);
  });

  it("responds with any status, headers and JSON body, without running the operation", async () => {
    const { mock, client } = setUp();
    const body = { inserted: 5, duplicates: 0 };
    const input = { operation: "events:ingest" as const, status: 200, headers: { "X-Region": "eu" }, body };
    const fault = mock.fault(input);
    body.inserted = 6;
    const { data, response } = await client.events.ingest([{ name: "a", external_customer_id: "b" }]).withResponse();
    expect(data).toEqual({ inserted: 5, duplicates: 0 });
    expect(response.headers.get("x-region")).toBe("eu");
    expect(response.headers.get("service-version")).toBe(CURRENT);
    expect(mock.events.size).toBe(0);
    expect(mock.requests.last()).toMatchObject({ fault: fault.id, status: 200, responseBody: { inserted: 5 } });
    expect(mock.faults.list()).toMatchObject([{ ...input, body: { inserted: 5, duplicates: 0 }, hits: 1 }]);
  });

  it("responds with a string as it is, and with headers in place of the usual ones", async () => {
    const { mock } = setUp();
    const headers = { "content-type": "text/html", "service-version": "1999-01" };
    mock.fault({ status: 429, body: "<h1>Slow down</h1>", retryAfter: 7, headers });
    const response = await mock.fetch(`${mock.baseUrls[0]}/v1/products/`);
    expect([response.status, await response.text()]).toEqual([429, "<h1>Slow down</h1>"]);
    expect(Object.fromEntries(response.headers)).toEqual({ ...headers, "retry-after": "7" });
    expect(mock.requests.last()?.responseBody).toBe("<h1>Slow down</h1>");
  });

  it.each(KINDS)(
    "of the kind %s ends a call with a %s, which has the code of a socket: %s",
    async (kind, name, code) => {
      const { mock, get } = setUp();
      mock.fault({ operation: read, kind, times: 1 });
      expect((await get(patience(name))).error?.name).toBe(name);
      expect((await get()).ok).toBe(true);
      if (code === undefined) return;
      mock.fault({ kind });
      const lost = mock.fetch(`${mock.baseUrls[0]}/v1/products/`);
      // Only a request that the fault holds never ends after a reset.
      mock.reset();
      await expect(lost).rejects.toMatchObject({ cause: { code } });
    },
  );

  it.each([{ kind: "timeout" as const }, { delay: 60_000 }])("%j ends with the request's signal", async (fault) => {
    const { mock } = setUp();
    mock.fault(fault);
    const url = `${mock.baseUrls[0]}/v1/products/`;
    const [caller, other, reason] = [new AbortController(), new AbortController(), new Error("the user left")];
    const gone = mock.fetch(url, { signal: caller.signal });
    setImmediate(() => caller.abort(reason));
    await expect(gone).rejects.toBe(reason);
    await expect(mock.fetch(url, { signal: caller.signal })).rejects.toBe(reason);
    const held = mock.fetch(url, { signal: other.signal });
    mock.reset();
    other.abort(reason);
    await expect(held).rejects.toBe(reason);
  });

  it("of the kind timeout keeps the process alive until the request is aborted, as a socket would", async () => {
    const { output, status } = await run(`
      import { queryObjects } from "node:v8";
      import { createMock as createNodeMock } from "./mock/node.ts";
      const mock = createNodeMock();
      mock.listen();
      mock.fault({ kind: "timeout" });
      for (const send of [mock.fetch, fetch]) {
        const held = send(mock.baseUrls[0] + "/v1/products/", { signal: AbortSignal.timeout(200) });
        // Counts after a garbage collection, which must not end the request.
        setTimeout(() => queryObjects(AbortSignal), 50).unref();
        console.log(await held.catch(({ name }) => name));
      }
    `);
    expect([output, status]).toEqual([expect.stringMatching(/^TimeoutError\nTimeoutError\n/), 0]);
  });

  it.each(["reset", "close"])(
    "neither answers the requests that it holds nor keeps the process alive after %s",
    async (end) => {
      const { output, status } = await run(`
      import { createMock as createNodeMock } from "./mock/node.ts";
      for (const fault of [{ kind: "timeout" }, { delay: 200_000 }]) {
        const mock = createNodeMock();
        mock.listen();
        mock.fault(fault);
        const url = mock.baseUrls[0] + "/v1/products/";
        const held = Promise.race([mock.fetch(url), fetch(url)].map((response) => response.then(String, String)));
        while (mock.faults.list()[0].hits < 2) await new Promise((resolve) => setTimeout(resolve, 1));
        mock.${end}();
        console.log(await Promise.race([held, new Promise((resolve) => setTimeout(resolve, 50, "held"))]));
      }
    `);
      expect([output, status]).toEqual(["held\n".repeat(2), 0]);
    },
  );

  it.each([{ kind: "timeout" as const }, { delay: 60_000 }])(
    "%j never answers after a reset, and the request reaches neither the state nor the journal",
    async (fault) => {
      const { mock } = setUp();
      const accessToken = mock.issueToken();
      mock.fault(fault);
      const client = createClient({ accessToken, fetch: mock.fetch });
      const caller = new AbortController();
      const events = [{ name: "old", external_customer_id: "acme" }];
      const held = client.events.ingest(events, { signal: caller.signal });
      await expect.poll(() => mock.faults.list()[0]?.hits).toBe(1);
      mock.reset();
      mock.issueToken({ token: accessToken });
      await expect(Promise.race([held, setTimeout(50, "pending")])).resolves.toBe("pending");
      caller.abort();
      await expect(held).rejects.toMatchObject({ name: "AbortedError" });
      expect([mock.events.size, mock.requests.count]).toEqual([0, 0]);
    },
  );

  it("of the kind truncated runs the operation, and sends status, headers and the first half of the body", async () => {
    const { mock } = setUp();
    const headers = { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json" };
    const body = JSON.stringify({ events: [{ name: "api.call", external_customer_id: "acme" }] });
    const send = () => mock.fetch(`${mock.baseUrls[0]}/v1/events/ingest`, { method: "POST", headers, body });
    const whole = await (await send()).text();
    mock.fault({ kind: "truncated" });
    const answer = await send();
    expect([answer.status, answer.headers.get("service-version")]).toEqual([200, CURRENT]);
    const chunks: string[] = [];
    const read = async () => {
      for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) chunks.push(chunk);
    };
    await expect(read()).rejects.toThrow("terminated");
    expect(chunks.join("")).toBe(whole.slice(0, Math.floor(whole.length / 2)));
    expect([mock.events.size, mock.requests.last()?.status]).toEqual([2, 200]);
  });

  it("with a probability fails about as many requests as it says, the same for the same seed, and changes no id", async () => {
    const pattern = async (seed: number) => {
      const { mock, get } = setUp({ seed });
      mock.fault({ status: 500, probability: 0.3 });
      for (let i = 0; i < 200; i++) await get();
      return { failed: mock.requests.list().map(({ fault }) => fault !== null), id: mock.customers.create().id };
    };
    const first = await pattern(5);
    expect(await pattern(5)).toEqual(first);
    expect((await pattern(6)).failed).not.toEqual(first.failed);
    const hits = first.failed.filter(Boolean).length;
    expect(hits).toBeGreaterThan(35);
    expect(hits).toBeLessThan(85);
    expect(setUp({ seed: 5 }).mock.customers.create().id).toBe(first.id);
  });

  it("with an operation, skip and times skips and fails only requests to its operation", async () => {
    const { mock, client, get } = setUp();
    const fault = { operation: "products:list", status: 503, skip: 2, times: 2 } as const;
    expect(mock.fault(fault)).toMatchObject({ skipped: 0, hits: 0 });
    const outcomes = [];
    for (let call = 0; call < 6; call++) {
      expect((await get()).ok).toBe(true);
      outcomes.push((await client.products.list().safe()).ok);
      if (call === 2) expect(mock.faults.list()).toMatchObject([{ skipped: 2, hits: 1 }]);
    }
    expect(outcomes).toEqual([true, true, false, false, true, true]);
    expect(mock.faults.list()).toEqual([]);
  });

  it("is removed by remove, clear and reset", async () => {
    const { mock, get } = setUp();
    const fault = mock.fault({ status: 500 });
    expect((await get()).ok).toBe(false);
    expect(mock.faults.list()).toEqual([{ id: fault.id, status: 500, skipped: 0, hits: 1 }]);
    expect(mock.faults.remove(fault.id)).toBe(true);
    expect(mock.faults.remove(fault.id)).toBe(false);
    mock.fault({ status: 500 });
    mock.faults.clear();
    expect(mock.faults.list()).toEqual([]);
    mock.fault({ status: 500 });
    mock.reset();
    expect(mock.faults.list()).toEqual([]);
  });

  it.each([
    [{}, "set `status`, `kind` or `delay`; the fault would have no effect without one."],
    [{ status: 503, time: 1 } as object, 'fault: unknown field "time". Did you mean "times"?'],
    [{ status: 600 }, "`status` must be an integer from 200 to 599; received 600."],
    [{ kind: "reset" as const, headers: {} }, "set `status` with `body`, `headers` and `retryAfter`"],
    [{ status: 200, headers: { "a b": "c" } }, '"a b" is an invalid header name'],
    [{ status: 200, headers: { a: "b\r\nc: d" } }, "is an invalid header value"],
    [{ kind: "explode" as FaultKind }, '`kind` must be "reset", "timeout" or "truncated"'],
    [{ status: 500, kind: "reset" as const }, "set `status` or `kind`, not both"],
    [
      { status: 500, operation: "events:injest" },
      'fault: unknown operation "events:injest". Did you mean "events:ingest"?',
    ],
  ])("is rejected if it is invalid: %j", (input, message) => {
    const { mock } = setUp();
    expect(() => mock.fault(input)).toThrow(message);
    expect(mock.faults.list()).toEqual([]);
  });
});

describe("a fault through MSW", () => {
  const mock = createNodeMock();
  const { products } = createClient({ accessToken: mock.issueToken(), maxRetries: 0, onResponseMismatch: "throw" });
  mock.listen();
  afterAll(() => mock.close());

  it.each(KINDS)("of the kind %s ends a call with a %s", async (kind, name) => {
    mock.fault({ kind, times: 1 });
    expect((await products.list({}, patience(name)).safe()).error?.name).toBe(name);
  });
});
