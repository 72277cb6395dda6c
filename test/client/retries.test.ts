import { inspect } from "node:util";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Call, ClientOptions, TokenRequest } from "../../src/client/index.ts";
import { readRetryAfter } from "../../src/client/retry.ts";
import { type BillingClient, versionNames, versions } from "../support/clients.ts";
import { endpointInput, NOBODY, usage } from "../support/samples.ts";
import {
  breakBody,
  clientOf,
  closedPort,
  errorOf,
  failureOf,
  json,
  type Reply,
  refused,
  reset,
  respond,
  thing,
  unavailable,
} from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

const busy = json(503, { error: "Busy" });

// Makes jitter remove the whole delay.
beforeEach(() => {
  vi.spyOn(Math, "random").mockReturnValue(0);
});

// failures.test.ts has the failures after which it is retried, and those after which it is not.
it.each([
  [undefined, undefined, 3],
  [0, undefined, 1],
  [4, undefined, 5],
  [5, 0, 1],
])("an idempotent operation with maxRetries %s, and %s for the call, makes %i attempts", async (...row) => {
  const [maxRetries, ofCall, attempts] = row;
  const { client, seen } = await clientOf(reset, { maxRetries });
  expect((await failureOf(client.read("t1", { maxRetries: ofCall }))).name).toBe("NetworkError");
  expect(seen).toHaveLength(attempts);
});

describe("an operation that is not idempotent", () => {
  it("is retried after a 429, even if its body is lost", async () => {
    const { client, seen } = await clientOf([json(429, {}), breakBody(429), json(201, THING)]);
    expect(await client.add({ size: 1 })).toEqual(THING);
    expect(seen).toHaveLength(3);
  });

  it("is idempotent with some bodies, but not with those that the types do not allow", async () => {
    const { client, seen } = await clientOf(busy);
    await failureOf(client.add({ key: "k" }));
    expect(seen).toHaveLength(3);
    await failureOf(client.add(null as never));
    expect(seen).toHaveLength(4);
  });

  it.each([
    ["GET", {}, 3, "after 3 attempts"],
    ["POST", {}, 1, "not retried: a POST may not be idempotent; if it is, set idempotent: true"],
    ["PUT", {}, 1, "not retried: a PUT may not be idempotent; if it is, set idempotent: true"],
    ["POST", { idempotent: true }, 3, "after 3 attempts"],
    ["GET", { idempotent: false }, 1, "not retried: idempotent is false"],
  ] as const)("includes client.request of a %s with %j", async (method, options, count, note) => {
    const { client, seen } = await clientOf(busy);
    const { message } = await failureOf(client.request(method, "/v1/x", options));
    expect(message).toBe(`${method} /v1/x: 503 Busy (${note})`);
    expect(seen).toHaveLength(count);
  });
});

describe("the message of a failed call", () => {
  it("includes the number of attempts, also on the stack, and when another failure ends the retries", async () => {
    const error = await errorOf(busy);
    expect(error.message).toBe("things:read: 503 Busy (after 3 attempts)");
    expect(inspect(error)).toContain("things:read: 503 Busy (after 3 attempts)");
    const ended = await errorOf([busy, json(404, { error: "Gone", detail: "no t1" })]);
    expect(ended.message).toBe("things:read: 404 no t1 (after 2 attempts)");
    const lost = await failureOf(tinyClient({ baseUrl: await closedPort(), maxRetries: 1 }).read("t1"));
    expect(lost.message).toMatch(/^things:read: the connection failed \(ECONNREFUSED\) \(after 2 attempts\)$/);
  });
});

describe("the delay before a retry", () => {
  /** Returns the delays that ky waits, which pass at once. */
  async function delaysOf(replies: readonly Response[], options: Partial<ClientOptions> = {}) {
    const delays: number[] = [];
    const start = globalThis.setTimeout;
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, delay: number) => {
      if (!new Error().stack?.includes("ky/distribution/utils/delay")) return start(run, delay);
      delays.push(delay);
      return start(run, 0);
    }) as never);
    const rest = [...replies];
    const fetch = async () => rest.shift() ?? respond();
    const { error } = await tinyClient({ fetch, maxRetries: replies.length, ...options })
      .read("t1")
      .safe();
    vi.mocked(globalThis.setTimeout).mockRestore();
    return { delays, error };
  }
  const busyWith = (headers: Record<string, string>, status = 503) =>
    new Response("{}", { status, headers: { "service-version": "2020-01", ...headers } });

  it("is a random delay of up to 500 ms, doubling up to 8 s", async () => {
    vi.mocked(Math.random).mockReturnValue(0.999_999);
    const { delays } = await delaysOf(new Array(7).fill(undefined).map(() => busyWith({})));
    expect(delays.map(Math.round)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  it.each([429, 503, 520])("is what Retry-After says after a %i, without jitter, up to 60 seconds", async (status) => {
    const replies = ["0", "7", "60"].map((value) => busyWith({ "retry-after": value }, status));
    expect(await delaysOf(replies)).toEqual({ delays: [0, 7_000, 60_000], error: undefined });
    const { delays, error } = await delaysOf([busyWith({ "retry-after": "61" }, status)]);
    expect([delays, error?.message]).toEqual([
      [],
      expect.stringContaining("Retry-After of 61 seconds exceeds 60 seconds"),
    ]);
  });

  it.each([
    [" 5 ", 5],
    ["Wed, 15 Jan 2025 10:00:07 GMT", 7],
    ["Wed, 15 Jan 2025 09:00:00 GMT", 0],
    ["5 minutes", undefined],
    ["0 GMT", undefined],
    ["-1", undefined],
    ["Wed, 99 Foo 2025 10:00:07 GMT", undefined],
    ["", undefined],
  ])("reads the Retry-After %j as %s seconds", (value, seconds) => {
    vi.useFakeTimers({ now: new Date("2025-01-15T10:00:00.900Z") });
    expect(readRetryAfter(new Headers({ "retry-after": value }))).toBe(seconds);
  });
});

type Row = [name: string, note: string, call: (client: BillingClient) => Call<unknown>];

const RETRIED = "after 2 attempts";
const ENDPOINT = "not retried: a second request could create a second endpoint";
const INHERITED = "not retried: events[0] has no external_id";

describe.each(versionNames)("the operations of %s", (version) => {
  const keyed = usage({ external_id: "event-1" });
  const heir = Object.assign(Object.create(keyed), { name: "a" });
  const hidden = Object.defineProperty(usage(), "external_id", { value: "event-1" });
  const ingest = (external_id: unknown): Row => [
    `events.ingest with the external_id ${JSON.stringify(external_id)}`,
    "not retried: events[1] has no external_id",
    ({ events }) => events.ingest([keyed, usage({ external_id } as object)]),
  ];

  it.each<Row>([
    ["webhooks.getEndpoint", RETRIED, ({ webhooks }) => webhooks.getEndpoint(NOBODY)],
    ["webhooks.createEndpoint", ENDPOINT, ({ webhooks }) => webhooks.createEndpoint(endpointInput())],
    ["webhooks.updateEndpoint", RETRIED, ({ webhooks }) => webhooks.updateEndpoint(NOBODY, {})],
    ["events.ingest with every external_id", RETRIED, ({ events }) => events.ingest([keyed])],
    ...[undefined, null, "", 7].map(ingest),
    ["events.ingest of an inherited external_id", INHERITED, ({ events }) => events.ingest([heir])],
    ["events.ingest of an external_id that JSON leaves out", INHERITED, ({ events }) => events.ingest([hidden])],
    ["oauth2.authorize", RETRIED, ({ oauth2 }) => oauth2.authorize()],
    ["products.list", RETRIED, ({ products }) => products.list()],
  ])("G-IDEMPOTENT: are repeated only if they are idempotent: %s is %s", async (_, note, call) => {
    const fetch = vi.fn(async () => unavailable());
    const client = versions[version].createClient({ accessToken: "token", fetch, maxRetries: 1 });
    const { message } = await failureOf(call(client));
    expect(fetch).toHaveBeenCalledTimes(note === RETRIED ? 2 : 1);
    expect(message).toContain(`503 (${note})`);
  });
});

const rejected = json(401, { error: "invalid_token", error_description: "expired" });

describe("a token function", () => {
  const renewing = () => vi.fn(({ renew }: TokenRequest) => (renew ? "fresh-token" : "stale-token"));

  it.each([0, 2])("is called again after a 401, for one more attempt, with maxRetries %i", async (maxRetries) => {
    const only: Reply = (response, request) =>
      (request.headers.authorization === "Bearer fresh-token" ? thing : rejected)(response, request);
    const [accessToken, onRetry] = [renewing(), vi.fn()];
    const { client, seen } = await clientOf(only, { accessToken, maxRetries, hooks: { onRetry } });
    expect(await client.read("t1")).toEqual(THING);
    expect(accessToken.mock.calls).toEqual([[{ renew: false }], [{ renew: true }]]);
    expect(seen).toHaveLength(2);
    expect(onRetry).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ attempt: 1 }));
  });

  it("is not called a third time", async () => {
    const accessToken = renewing();
    expect(await errorOf(rejected, { accessToken })).toMatchObject({ name: "ApiError", status: 401 });
    expect(accessToken).toHaveBeenCalledTimes(2);
  });

  it("G-IDEMPOTENT: makes an attempt after a 401, which processed nothing, that does not count as a retry", async () => {
    const accessToken = renewing();
    const { client } = await clientOf([rejected, json(429, {}), json(201, THING)], { accessToken, maxRetries: 1 });
    expect(await client.add({ size: 1 })).toEqual(THING);
    expect(accessToken.mock.calls.map(([{ renew }]) => renew)).toEqual([false, true, false]);
  });

  it("is asked for a new token again by a retry, if the attempt timed out before that token arrived", async () => {
    const renew = vi.fn(async () => "fresh-token").mockImplementationOnce(() => new Promise(() => {}));
    const accessToken = (request: TokenRequest) => (request.renew ? renew() : "stale-token");
    const { client, seen } = await clientOf([rejected, thing], { accessToken, timeout: 200 });
    expect(await client.read("t1")).toEqual(THING);
    expect(renew).toHaveBeenCalledTimes(2);
    expect(seen).toHaveLength(2);
  });

  it.each([
    ["undefined", () => undefined, "must return a string; received undefined"],
    ["a number", () => 42, "must return a string; received number"],
    ["an empty string", () => "", "visible ASCII"],
    ["a line break", async () => "a\nb", "visible ASCII"],
  ])("that returns %s fails the call, and nothing is sent", async (_, accessToken, says) => {
    const error = await refused(({ read }) => read("t1"), { accessToken: accessToken as never });
    expect(error).toMatchObject({ name: "InvalidInputError", path: "accessToken", operation: "things:read" });
    expect(error.message).toContain(says);
  });

  it("that fails is an AccessTokenError with its error as the cause; it is not retried, and nothing is sent", async () => {
    const cause = new Error("vault is sealed");
    const accessToken = vi.fn(() => Promise.reject(cause));
    const error = await refused(({ read }) => read("t1"), { accessToken });
    expect(error).toMatchObject({ name: "AccessTokenError", operation: "things:read" });
    expect(error.cause).toBe(cause);
    expect(accessToken).toHaveBeenCalledOnce();
  });

  it("that fails after a 401 shows neither the rejected token nor the properties of its error", async () => {
    const accessToken = ({ renew }: TokenRequest): string => {
      if (!renew) return TOKEN;
      const config = { headers: new Headers({ authorization: "Basic hidden-secret" }) };
      throw Object.assign(new Error(`cannot renew ${TOKEN}`), { config });
    };
    const error = await errorOf(rejected, { accessToken });
    expect(error).toMatchObject({ name: "AccessTokenError", cause: { message: "cannot renew [access token]" } });
    const shown = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error);
    expect(shown).not.toMatch(new RegExp(`${TOKEN}|hidden-secret`));
  });
});
