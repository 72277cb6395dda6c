import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Call } from "../../src/client/index.ts";
import { decideRetry, readRetryAfter } from "../../src/client/retry.ts";
import { ApiError, type ApiErrorName, NetworkError, RateLimitError } from "../../src/errors/index.ts";
import { type BillingClient, versionNames, versions } from "../support/clients.ts";
import { endpointInput, NOBODY, usage } from "../support/samples.ts";
import {
  breakBody,
  endsAfter,
  failureOf,
  json,
  passingWaits,
  type Reply,
  reset,
  serve,
  stall,
  stallBody,
  stopTime,
  text,
  thing,
} from "./service.ts";
import { THING, tinyClient } from "./tiny-contract.ts";

/** Makes jitter remove the whole delay. */
const noWait = (): void => void vi.spyOn(Math, "random").mockReturnValue(0);
afterEach(() => void vi.restoreAllMocks());

const passing: [name: string, reply: Reply][] = [
  ["a reset connection", reset],
  ["an incomplete body", breakBody()],
  ...[408, 500, 502, 503, 504].map((status): [string, Reply] => [`a ${status}`, json(status, {})]),
];

const late: [name: string, reply: Reply][] = [
  ["no answer in time", stall],
  ["a body that stalls", stallBody()],
];

describe("an idempotent operation", () => {
  it.each(passing)("is retried after %s", async (_, reply) => {
    noWait();
    const service = await serve(reply, thing);
    expect(await tinyClient({ baseUrl: service.baseUrl }).read("t1")).toEqual(THING);
    expect(service.seen).toHaveLength(2);
  });

  it.each(late)("is retried after %s", async (_, reply) => {
    stopTime();
    const service = await serve(reply, thing);
    const call = tinyClient({ baseUrl: service.baseUrl, timeout: 150, hooks: passingWaits }).read("t1");
    await service.replied(1);
    vi.advanceTimersByTime(150);
    expect(await call).toEqual(THING);
    expect(service.seen).toHaveLength(2);
  });

  it("is not retried with maxRetries 0, not even after a lost connection", async () => {
    const service = await serve(reset, thing);
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, maxRetries: 0 }).read("t1"));
    expect(error.name).toBe("NetworkError");
    expect(service.seen).toHaveLength(1);
  });

  it.each([400, 401, 403, 404, 409, 413, 422, 501, 505])("is not retried after a %i", async (status) => {
    const service = await serve(json(status, {}), thing);
    expect(await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"))).toMatchObject({ status });
    expect(service.seen).toHaveLength(1);
  });

  it.each([
    [undefined, 3],
    [0, 1],
    [1, 2],
    [4, 5],
  ])("with maxRetries %s makes %i attempts in all", async (maxRetries, attempts) => {
    noWait();
    const service = await serve(json(503, {}));
    await failureOf(tinyClient({ baseUrl: service.baseUrl, maxRetries }).read("t1"));
    expect(service.seen).toHaveLength(attempts);
  });

  it("prefers the maxRetries of the call to the client's", async () => {
    const service = await serve(json(503, {}));
    await failureOf(tinyClient({ baseUrl: service.baseUrl, maxRetries: 5 }).read("t1", { maxRetries: 0 }));
    expect(service.seen).toHaveLength(1);
  });
});

describe("an operation that is not idempotent", () => {
  it.each(passing)("is not retried after %s", async (_, reply) => {
    const service = await serve(reply, thing);
    await failureOf(tinyClient({ baseUrl: service.baseUrl }).add({ size: 1 }));
    expect(service.seen).toHaveLength(1);
  });

  it.each(late)("is not retried after %s", async (_, reply) => {
    stopTime();
    const service = await serve(reply, thing);
    const failure = failureOf(tinyClient({ baseUrl: service.baseUrl, timeout: 150 }).add({ size: 1 }));
    await service.replied(1);
    await endsAfter(150, failure);
    expect((await failure).name).toBe("TimeoutError");
    expect(service.seen).toHaveLength(1);
  });

  it("is retried after a 429, even if its body is lost", async () => {
    noWait();
    const service = await serve(json(429, {}), breakBody(429), json(201, THING));
    expect(await tinyClient({ baseUrl: service.baseUrl }).add({ size: 1 })).toEqual(THING);
    expect(service.seen).toHaveLength(3);
  });

  it("is idempotent with some bodies", async () => {
    noWait();
    const service = await serve(json(503, {}), json(201, THING));
    await tinyClient({ baseUrl: service.baseUrl }).add({ key: "k" });
    expect(service.seen).toHaveLength(2);
  });

  it("stays unsafe with a body that the types do not allow", async () => {
    const service = await serve(json(503, {}));
    await failureOf(tinyClient({ baseUrl: service.baseUrl }).add(null as never));
    expect(service.seen).toHaveLength(1);
  });

  it("includes client.request with any method but GET, unless `repeatable` is set", async () => {
    noWait();
    const counts: number[] = [];
    for (const [method, repeatable] of [["GET"], ["POST"], ["PUT"], ["POST", true], ["GET", false]] as const) {
      const service = await serve(json(503, {}));
      const client = tinyClient({ baseUrl: service.baseUrl });
      await failureOf(client.request(method, "/v1/x", repeatable === undefined ? {} : { repeatable }));
      counts.push(service.seen.length);
    }
    expect(counts).toEqual([3, 1, 1, 3, 1]);
  });
});

describe("a response that does not match the contract", () => {
  it("is not retried", async () => {
    const service = await serve(json(200, { wrong: true }), text(200, "<p>"), thing);
    expect((await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"))).name).toBe("ResponseMismatchError");
    expect(service.seen).toHaveLength(1);
  });
});

describe("the delay before a retry", () => {
  const lost = new NetworkError("lost");

  it("is a random delay of up to 500 ms, doubling up to 8 s", () => {
    vi.spyOn(Math, "random").mockReturnValue(0.999_999);
    const longest = [1, 2, 3, 4, 5, 6, 50].map((attempt) => Math.round(Number(decideRetry(lost, attempt, true))));
    expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
    vi.spyOn(Math, "random").mockReturnValue(0);
    expect(decideRetry(lost, 6, true)).toBe(0);
  });

  it.each([
    ["0", 0],
    ["2", 2000],
    ["1.5", 1500],
    ["60", 60_000],
  ])("is what Retry-After %s says, without jitter", (value, delay) => {
    expect(decideRetry(failed(503, value), 1, true)).toBe(delay);
    expect(decideRetry(failed(429, value), 1, "no key")).toBe(delay);
  });

  it.each(["61", "99999999999999999999"])("does not exist when Retry-After exceeds 60 s: %s", (value) => {
    const reason = `Retry-After of ${Number(value)} seconds exceeds the maximum of 60 seconds`;
    expect(decideRetry(failed(503, value), 1, true)).toBe(reason);
    expect(decideRetry(failed(429, value), 1, "no key")).toBe(reason);
  });

  it("takes the requested second", async () => {
    const service = await serve(json(429, {}, { "retry-after": "1" }), thing);
    const started = performance.now();
    await tinyClient({ baseUrl: service.baseUrl }).read("t1");
    expect(performance.now() - started).toBeGreaterThan(950);
  });

  it("is skipped when Retry-After is too long: the call fails at once", async () => {
    const service = await serve(json(429, {}, { "retry-after": "3600" }));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
    expect(error).toMatchObject({ name: "RateLimitError", retryAfter: 3600 });
    expect(service.seen).toHaveLength(1);
  });
});

describe("Retry-After", () => {
  const now = "Wed, 15 Jan 2025 10:00:00 GMT";
  it.each([
    ["120", 120],
    [" 5 ", 5],
    ["Wed, 15 Jan 2025 10:00:07 GMT", 7],
    ["Wednesday, 15-Jan-25 10:00:07 GMT", 7],
    ["Wed Jan 15 10:00:07 2025", 7],
    ["Wed, 15 Jan 2025 09:00:00 GMT", 0],
    ["5 minutes", undefined],
    ["-1", undefined],
    ["NaN", undefined],
    ["soon", undefined],
    ["Wed, 99 Foo 2025 10:00:07 GMT", undefined],
    ["", undefined],
  ])("%j is read as %s seconds", (value, seconds) => {
    expect(readRetryAfter(new Headers({ "retry-after": value, date: now }))).toBe(seconds);
  });

  it("as a date is relative to the local clock if the service sends no Date, rounded up to seconds", () => {
    vi.useFakeTimers({ now: new Date("2025-01-15T10:00:00.900Z") });
    onTestFinished(() => void vi.useRealTimers());
    expect(readRetryAfter(new Headers({ "retry-after": "Wed, 15 Jan 2025 10:00:30 GMT" }))).toBe(30);
  });

  it("is undefined if the header is missing", () => {
    expect(readRetryAfter(new Headers())).toBeUndefined();
  });
});

function failed(status: number, retryAfter: string): ApiError<number, unknown, ApiErrorName> {
  const response = new Response(null, { status, headers: { "retry-after": retryAfter } });
  const facts = { operation: "x", body: undefined, rawBody: undefined, response, version: undefined };
  return status === 429
    ? new RateLimitError({ ...facts, status: 429, retryAfter: 0 })
    : new ApiError({ ...facts, status });
}

describe.each(versionNames)("the operations of %s", (version) => {
  const keyed = usage({ external_id: "event-1" });
  it.each<[string, number, (client: BillingClient) => Call<unknown>]>([
    ["webhooks.getEndpoint", 2, ({ webhooks }) => webhooks.getEndpoint(NOBODY)],
    ["webhooks.createEndpoint", 1, ({ webhooks }) => webhooks.createEndpoint(endpointInput())],
    ["webhooks.updateEndpoint", 2, ({ webhooks }) => webhooks.updateEndpoint(NOBODY, {})],
    ["events.ingest with every external_id", 2, ({ events }) => events.ingest([keyed])],
    ["events.ingest without one of them", 1, ({ events }) => events.ingest([keyed, usage()])],
    ["oauth2.authorize", 2, ({ oauth2 }) => oauth2.authorize()],
    ["products.list", 2, ({ products }) => products.list()],
  ])("G-IDEMPOTENT: are repeated only if they are idempotent: %s is sent %i times", async (_name, times, call) => {
    let sent = 0;
    const fetch = async () => {
      sent += 1;
      return new Response(null, { status: 503, headers: { "Retry-After": "0" } });
    };
    await failureOf(call(versions[version].createClient({ accessToken: "token", fetch, maxRetries: 1 })));
    expect(sent).toBe(times);
  });
});
