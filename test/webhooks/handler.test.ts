import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import {
  createWebhookHandler,
  InvalidInputError,
  type StandardSchema,
  signWebhook,
  VersionMismatchError,
  verifyWebhook,
  WebhookVerificationError,
} from "../../versions/2025-01/webhooks.ts";
import { order, other, secret } from "./signed.ts";

const url = "https://shop.example/webhooks";

/** Returns a signed request. */
async function delivery(event: Parameters<typeof signWebhook>[0] = order, key = secret): Promise<Request> {
  return new Request(url, { method: "POST", ...(await signWebhook(event, { secret: key })) });
}

const broken: StandardSchema = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: () => ({ issues: [{ message: "the customer's secret", path: ["id"] }] }),
  },
};

describe("a webhook handler", () => {
  it("runs the function of the event's type, and responds with 204 after it has finished", async () => {
    const steps: string[] = [];
    const handle = createWebhookHandler({
      secret,
      on: {
        "order.paid": async (event) => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          steps.push(`paid ${JSON.stringify(event.data)}`);
        },
        "*": (event) => void steps.push(`other ${event.type}`),
      },
    });
    expect((await handle(await delivery())).status).toBe(204);
    expect(steps).toEqual(['paid {"id":"ord_1","amount":1200}']);
    for (const type of ["order.created", "order.shipped", "toString", "*"]) {
      expect((await handle(await delivery({ type }))).status).toBe(204);
    }
    expect(steps.slice(1)).toEqual(["other order.created", "other order.shipped", "other toString", "other *"]);
  });

  it("responds with 204 to an event that has no function", async () => {
    const handle = createWebhookHandler({ secret, on: { "order.paid": () => expect.unreachable() } });
    expect((await handle(await delivery({ type: "order.created" }))).status).toBe(204);
  });

  it("passes the output of a schema", async () => {
    const got: number[] = [];
    const handle = createWebhookHandler({
      secret,
      schemas: { "order.paid": z.object({ amount: z.number() }) },
      on: { "order.paid": ({ data }) => void got.push(data.amount) },
    });
    expect((await handle(await delivery())).status).toBe(204);
    expect(got).toEqual([1200]);
  });

  it("responds with 405 unless the method is POST", async () => {
    const handle = createWebhookHandler({ secret, on: {} });
    for (const method of ["GET", "PUT", "HEAD"]) {
      const response = await handle(new Request(url, { method }));
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    }
  });

  it.each([
    [400, "header-missing", {}, new Request(url, { method: "POST", body: "{}" })],
    [
      400,
      "body-parsed",
      {},
      signWebhook(order, { secret }).then((s) => ({ method: "POST", headers: s.headers, body: {} })),
    ],
    [400, "version-mismatch", {}, delivery({ ...order, api_version: "2024-10" })],
    [401, "signature-mismatch", {}, delivery(order, other)],
    [401, "timestamp-too-old", { now: () => Date.now() + 301_000 }, delivery()],
    [413, "body-too-large", { maxBodyBytes: 10 }, delivery()],
  ])("responds with %i and %s, and tells onError", async (status, code, options, request) => {
    const onError = vi.fn();
    const handle = createWebhookHandler({ secret, on: { "*": () => expect.unreachable() }, ...options, onError });
    const response = await handle(await request);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: code, detail: expect.any(String) });
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(Error), { status, event: undefined });
  });

  it("responds with 500 if a schema rejects the data, without the schema's message", async () => {
    const onError = vi.fn();
    const schemas = { "order.paid": broken };
    const handle = createWebhookHandler({ secret, on: { "*": () => expect.unreachable() }, schemas, onError });
    const response = await handle(await delivery());
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ error: "invalid-data", detail: "The receiver failed; see onError." });
    expect(String(onError.mock.calls[0]?.[0])).toContain("data.id: the customer's secret");
  });

  it("responds with 500 if a schema never settles", async () => {
    const validate = () => new Promise<never>(() => undefined);
    const schemas = { "order.paid": { "~standard": { ...broken["~standard"], validate } } };
    const handle = createWebhookHandler({ secret, on: { "*": () => 1 }, schemas, onError: vi.fn(), timeoutMs: 20 });
    const response = await handle(await delivery());
    expect([response.status, await response.json()]).toMatchObject([500, { error: "invalid-data" }]);
  }, 5_000);

  it("responds with 500 whatever the function throws", async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const thrown of [undefined, null, 1, Symbol("x"), Object.create(null), proxy]) {
      const onError = vi.fn();
      const handle = createWebhookHandler({ secret, on: { "*": () => Promise.reject(thrown) }, onError });
      expect((await handle(await delivery())).status).toBe(500);
      expect(onError).toHaveBeenCalledOnce();
    }
  });

  it("responds with 500 if the function throws, without its message, and runs it again for a redelivery", async () => {
    const errors: unknown[] = [];
    const failure = new Error(`could not reach the database with ${secret}`);
    let runs = 0;
    const handle = createWebhookHandler({
      secret,
      on: {
        "order.paid": () => {
          if (++runs === 1) throw failure;
        },
      },
      onError: (error, context) => void errors.push([error, context]),
    });
    const request = await delivery({ ...order, id: "evt_1" });
    const again = request.clone();
    const response = await handle(request);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("database");
    expect(errors).toEqual([[failure, { status: 500, event: { id: "evt_1", type: "order.paid" } }]]);
    expect((await handle(again)).status).toBe(204);
    expect(runs).toBe(2);
  });

  it("responds with 500 to an error of this package that the function throws", async () => {
    const outdated = new VersionMismatchError("the price list is secret", { expected: "2025-01", received: "2024-10" });
    const nested = async () => verifyWebhook(await delivery(order, other), { secret });
    for (const run of [() => Promise.reject(outdated), nested]) {
      const onError = vi.fn();
      const response = await createWebhookHandler({ secret, on: { "*": run }, onError })(await delivery());
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({ error: "internal-error", detail: "The receiver failed; see onError." });
      expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(Error), expect.objectContaining({ status: 500 }));
    }
  });

  it("writes only errors with status 500 to the console by default", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const failure = new Error("lost");
    const handle = createWebhookHandler({ secret, on: { "order.paid": () => Promise.reject(failure) } });
    await handle(await delivery(order, other));
    expect(log).not.toHaveBeenCalled();
    await handle(await delivery());
    expect(log).toHaveBeenCalledExactlyOnceWith(failure);
    log.mockRestore();
  });

  it("responds even if onError throws or never settles", async () => {
    const never = () => new Promise(() => undefined);
    for (const onError of [() => Promise.reject(new Error("no")), () => expect.unreachable(), never]) {
      const handle = createWebhookHandler({ secret, on: {}, onError });
      expect((await handle(await delivery(order, other))).status).toBe(401);
    }
  });

  it("responds, and accepts the event again, if the store fails and onError never settles", async () => {
    const set = (key: string) => !key.includes("handled");
    const seen = { get: () => undefined, set, add: () => true, delete: () => true };
    const run = vi.fn();
    const handle = createWebhookHandler({
      secret,
      on: { "*": run },
      seen,
      onError: () => new Promise(() => undefined),
    });
    const request = await delivery({ ...order, id: "evt_1" });
    const again = request.clone();
    expect((await handle(request)).status).toBe(204);
    expect((await handle(again)).status).toBe(204);
    expect(run).toHaveBeenCalledTimes(2);
  });
});

describe("the options of a webhook handler", () => {
  it.each([
    [
      { secret: undefined, on: {} },
      "secret must be the endpoint's secret; received undefined. Is its environment variable set?",
    ],
    [{ secret }, "on must be an object; received undefined"],
    [{ secret, on: { "order.payed": () => 1 } }, 'unknown event type "order.payed"'],
    [{ secret, on: { "order.paid": 1 } }, 'on["order.paid"] must be a function; received number'],
    [{ secret, on: {}, seen: {} }, "seen.get must be a function; received undefined"],
    [{ secret, on: {}, seen: 1 }, "seen must be an object; received number"],
    [{ secret, on: {}, leaseMs: 999 }, "leaseMs must be an integer from 1000 to 2147483647; received 999"],
    [{ secret, on: {}, settleMs: 0 }, "settleMs must be an integer from 10 to 2147483647; received 0"],
    [{ secret, on: {}, rememberMs: 1.5 }, "rememberMs must be an integer from 1 to 9007199254740991; received 1.5"],
    [{ secret, on: {}, timeoutMs: 0 }, "timeoutMs must be an integer from 1 to 2147483647; received 0"],
    [{ secret, on: {}, timeoutMs: 2 ** 31 }, "timeoutMs must be an integer from 1 to 2147483647; received 2147483648"],
    [{ secret, on: {}, leaseMs: 2 ** 31 }, "leaseMs must be an integer from 1000 to 2147483647; received 2147483648"],
    [{ secret, on: {}, onError: "log" }, "onError must be a function; received string"],
    [{ secret, on: {}, onEror: () => 1 }, 'unknown option "onEror"'],
  ])("are checked when it is created: %o", (options, problem) => {
    const create = () => createWebhookHandler(options as never);
    expect(create).toThrow(InvalidInputError);
    expect(create).toThrow(`createWebhookHandler: ${problem}`);
  });
});

it("the errors of a handler are those of verifyWebhook", async () => {
  const onError = vi.fn();
  await createWebhookHandler({ secret, on: {}, onError })(await delivery(order, other));
  expect(onError.mock.calls[0]?.[0]).toBeInstanceOf(WebhookVerificationError);
});
