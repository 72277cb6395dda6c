import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import {
  createWebhookHandler,
  InvalidInputError,
  VersionMismatchError,
  verifyWebhook,
  WebhookVerificationError,
} from "#current/webhooks";
import { standardSchema } from "../support/standard-schema.ts";
import { CURRENT, DEPRECATED } from "../support/versions.ts";
import { delivery, order, other, secret } from "./signed.ts";

type Options = Partial<Parameters<typeof createWebhookHandler>[0]>;

/** Creates a handler, runs it once, and returns the response with the calls of `onError`. */
async function handled(request: Request | PromiseLike<Request>, options: Options) {
  const onError = vi.fn();
  const handle = createWebhookHandler({ secret, on: { "*": () => expect.unreachable() }, onError, ...options });
  const response = await handle(await request);
  return { response, status: response.status, body: await response.text(), errors: onError.mock.calls };
}

/** The body of every response with status 500. */
const failed = { error: "internal-error", detail: "The receiver failed; see onError." };

const schemaOf = (validate: () => unknown) => ({ "order.paid": standardSchema(validate as never) });

describe("a webhook handler", () => {
  it("runs the function of the event's type, otherwise that of `*`, and responds with 204 after it has finished", async () => {
    const steps: string[] = [];
    const handle = createWebhookHandler({
      secret,
      schemas: { "order.paid": z.object({ amount: z.number() }) },
      on: {
        "order.paid": async ({ data }) => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          steps.push(`paid ${data.amount}`);
        },
        "order.created": undefined,
        "*": (event) => void steps.push(`other ${event.type}`),
      },
    });
    for (const type of ["order.paid", "order.created", "order.shipped", "toString", "*"]) {
      expect((await handle(await delivery({ ...order, type }))).status).toBe(204);
    }
    expect(steps).toEqual(["paid 1200", "other order.created", "other order.shipped", "other toString", "other *"]);
    expect((await handled(delivery(), { on: {} })).status).toBe(204);
  });

  const withoutHeaders = new Request("https://shop.example", { method: "POST", body: "{}" });
  const parsed = delivery().then(({ method, headers }) => ({ method, headers, body: {} }) as unknown as Request);
  const cancel = vi.fn();
  const stalled = delivery().then(({ method, headers }) => {
    const never = { method, headers, body: new ReadableStream({ cancel }), duplex: "half" } as RequestInit;
    return new Request("https://shop.example", never);
  });

  it.each<[number, string, Options, Request | PromiseLike<Request>]>([
    [400, "header-missing", {}, withoutHeaders],
    [400, "body-parsed", {}, parsed],
    [400, "body-unreadable", { timeoutMs: 20 }, stalled],
    [400, "version-mismatch", {}, delivery({ ...order, api_version: DEPRECATED })],
    [401, "signature-mismatch", {}, delivery(order, other)],
    [401, "timestamp-too-old", { now: () => Date.now() + 301_000 }, delivery()],
    [413, "body-too-large", { maxBodyBytes: 10 }, delivery()],
  ])("responds with %i and %s, and tells onError", async (expected, error, options, request) => {
    const { status, body, errors } = await handled(request, options);
    expect([status, JSON.parse(body)]).toEqual([expected, { error, detail: expect.any(String) }]);
    expect(errors).toEqual([[expect.any(Error), { status, event: undefined }]]);
    if (error !== "version-mismatch") expect(errors[0]?.[0]).toBeInstanceOf(WebhookVerificationError);
    expect(cancel).toHaveBeenCalledTimes(error === "body-unreadable" ? 1 : 0);
  });

  it("responds with 500 if a schema rejects the data, or never settles, without the schema's message", async () => {
    const issues = [{ message: "the customer's secret", path: ["id"] }];
    const { status, body, errors } = await handled(delivery(), { schemas: schemaOf(() => ({ issues })) });
    expect([status, JSON.parse(body)]).toEqual([500, { ...failed, error: "invalid-data" }]);
    expect(String(errors[0]?.[0])).toContain("data.id: the customer's secret");
    expect(errors[0]?.[1]).toEqual({ status: 500, event: { id: expect.any(String), type: "order.paid" } });
    const hanging = await handled(delivery(), { schemas: schemaOf(() => new Promise(() => {})), timeoutMs: 20 });
    expect([hanging.status, JSON.parse(hanging.body)]).toEqual([500, { ...failed, error: "invalid-data" }]);
  });

  it("checks the data only if a function will run, and again for a redelivery", async () => {
    const [issues, value] = [[{ message: "no" }], {}];
    const validate = vi.fn().mockReturnValue({ issues }).mockReturnValueOnce({ issues }).mockReturnValueOnce({ value });
    const options = { secret, schemas: schemaOf(validate), onError: () => {} };
    const handle = createWebhookHandler({ ...options, on: { "order.paid": () => {} } });
    const request = await delivery();
    for (const status of [500, 204, 204]) expect((await handle(request.clone())).status).toBe(status);
    expect((await handled(delivery(), { ...options, on: {} })).status).toBe(204);
  });

  const { proxy: revokedProxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const outdated = new VersionMismatchError("the price list is secret", { expected: CURRENT, received: DEPRECATED });
  const nested = async () => verifyWebhook(await delivery(order, other), { secret });

  it.each([
    ...[undefined, Object.create(null), revokedProxy, outdated].map((thrown) => () => Promise.reject(thrown)),
    nested,
  ])("responds with 500 whatever the function or the store throws, also an error of this package (%#)", async (run) => {
    for (const options of [{ on: { "*": run } }, { seen: { get: run, set: run, delete: run } }]) {
      const { status, body, errors } = await handled(delivery(), options);
      expect([status, JSON.parse(body)]).toEqual([500, failed]);
      expect(errors).toHaveLength(1);
    }
  });

  it("responds with 500 if its second argument cannot be read", async () => {
    const handle = createWebhookHandler({ secret, on: {}, onError: () => {} });
    const response = await Reflect.apply(handle, undefined, [await delivery(), revokedProxy]);
    expect([response.status, await response.json()]).toEqual([500, failed]);
  });

  it("runs the function again for a redelivery if it threw", async () => {
    const failure = new Error(`could not reach the database with ${secret}`);
    const onError = vi.fn();
    const run = vi.fn().mockRejectedValueOnce(failure);
    const handle = createWebhookHandler({ secret, on: { "order.paid": run }, onError });
    const request = await delivery({ ...order, id: "evt_1" });
    const again = request.clone();
    expect((await handle(request)).status).toBe(500);
    const context = { status: 500, event: { id: "evt_1", type: "order.paid" } };
    expect(onError.mock.calls).toEqual([[failure, context]]);
    expect((await handle(again)).status).toBe(204);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it("writes only errors with status 500 to the console by default", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const failure = new Error("lost");
    const options = { on: { "order.paid": () => Promise.reject(failure) }, onError: undefined };
    await handled(delivery(order, other), options);
    expect(log).not.toHaveBeenCalled();
    await handled(delivery(), options);
    expect(log).toHaveBeenCalledExactlyOnceWith(failure);
  });

  it.each([() => Promise.reject(new Error("no")), () => expect.unreachable(), () => new Promise(() => undefined)])(
    "responds even if onError throws or never settles (%#)",
    async (onError) => {
      expect((await handled(delivery(order, other), { onError })).status).toBe(401);
    },
  );
});

it.each([
  [{ secret: undefined }, "secret must be the endpoint's secret; received undefined. Is its environment variable set?"],
  [{ on: undefined }, "on must be an object; received undefined"],
  [{ on: { "order.payed": () => 1 } }, 'unknown event type "order.payed"'],
  [{ on: { "order.paid": 1 } }, 'on["order.paid"] must be a function; received number'],
  [{ seen: {} }, "seen.get must be a function; received undefined"],
  [{ seen: { get() {}, set() {}, delete() {}, add: true } }, "seen.add must be a function; received"],
  [{ leaseMs: 99 }, "leaseMs must be an integer from 100 to 2147483647; received 99"],
  [{ timeoutMs: 0 }, "timeoutMs must be an integer from 1 to 2147483647; received 0"],
  [{ onEror: () => 1 }, 'unknown option "onEror"'],
])("the options of a webhook handler are checked when it is created: %o", (options, problem) => {
  const create = () => createWebhookHandler({ secret, on: {}, ...options } as never);
  expect(create).toThrow(InvalidInputError);
  expect(create).toThrow(`createWebhookHandler: ${problem}`);
});
