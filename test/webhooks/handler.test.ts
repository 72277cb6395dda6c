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
  // Next.js and others pass a second argument.
  const response = await Reflect.apply(handle, undefined, [await request, { params: {} }]);
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
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    for (const type of ["order.paid", "order.created", "order.shipped", "order.shipped", "toString"]) {
      expect((await handle(await delivery({ ...order, type }))).status).toBe(204);
    }
    const others = ["order.created", "order.shipped", "order.shipped", "toString"].map((type) => `other ${type}`);
    expect(steps).toEqual(["paid 1200", ...others]);
    const warned = (type: string) => [
      `[billing] A webhook has the type "${type}", which version ${CURRENT} does not know.`,
    ];
    expect(warn.mock.calls).toEqual([warned("order.shipped"), warned("toString")]);
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
    [400, "body-unreadable", { timeout: 20 }, stalled],
    [400, "version-mismatch", {}, delivery({ ...order, id: "evt_1", api_version: DEPRECATED })],
    [401, "signature-mismatch", {}, delivery(order, other)],
    [401, "timestamp-too-old", { now: () => Date.now() + 301_000 }, delivery()],
    [413, "body-too-large", { maxBodyBytes: 10 }, delivery()],
  ])("responds with %i and %s, and tells onError", async (expected, error, options, request) => {
    const { status, body, errors } = await handled(request, options);
    expect([status, JSON.parse(body)]).toEqual([expected, { error, detail: expect.any(String) }]);
    const signed = error === "version-mismatch" ? { ...order, id: "evt_1", api_version: DEPRECATED } : undefined;
    expect(errors).toEqual([[expect.any(Error), { status, event: signed && expect.objectContaining(signed) }]]);
    if (!signed) expect(errors[0]?.[0]).toBeInstanceOf(WebhookVerificationError);
    expect(cancel).toHaveBeenCalledTimes(error === "body-unreadable" ? 1 : 0);
  });

  const outdated = new VersionMismatchError("the price list is secret", { expected: CURRENT, received: DEPRECATED });
  const nested = async () => verifyWebhook(await delivery(order, other), { secret });

  it.each([() => Promise.reject(outdated), () => Promise.reject(undefined), nested])(
    "responds with 500 whatever the function or the store throws, also an error of this package (%#)",
    async (run) => {
      for (const options of [{ on: { "*": run } }, { seen: { get: run, set: run, add: run as never, delete: run } }]) {
        const { status, body, errors } = await handled(delivery(), options);
        expect([status, JSON.parse(body)]).toEqual([500, failed]);
        expect(errors).toHaveLength(1);
      }
    },
  );

  it("runs the function again for a redelivery if it threw", async () => {
    const failure = new Error(`could not reach the database with ${secret}`);
    const onError = vi.fn();
    const run = vi.fn().mockRejectedValueOnce(failure);
    const handle = createWebhookHandler({ secret, on: { "order.paid": run }, onError });
    const request = await delivery({ ...order, id: "evt_1" });
    const again = request.clone();
    expect((await handle(request)).status).toBe(500);
    const context = { status: 500, event: expect.objectContaining({ ...order, id: "evt_1" }) };
    expect(onError.mock.calls).toEqual([[failure, context]]);
    expect((await handle(again)).status).toBe(204);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it("writes errors of signed deliveries to the console by default, and none that anyone can cause", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const failure = new Error("lost");
    const options = { on: { "order.paid": () => Promise.reject(failure) }, onError: undefined };
    await handled(delivery(order, other), options);
    expect(log).not.toHaveBeenCalled();
    await handled(delivery(), options);
    await handled(delivery({ ...order, api_version: DEPRECATED }), options);
    expect(log.mock.calls).toEqual([[failure], [expect.any(VersionMismatchError)]]);
  });

  it("tells onHandled and onDuplicate which event it was, and how long it took", async () => {
    const [onHandled, onDuplicate] = [vi.fn(() => Promise.reject(new Error("no"))), vi.fn()];
    const run = () => new Promise((resolve) => setTimeout(resolve, 20));
    const options = { secret, onHandled, onDuplicate };
    const handle = createWebhookHandler({ ...options, on: { "order.paid": run } });
    const request = await delivery({ ...order, id: "evt_1" });
    for (const times of [1, 2]) {
      expect((await handle(request.clone())).status).toBe(204);
      expect([onHandled, onDuplicate].map(({ mock }) => mock.calls.length)).toEqual([1, times - 1]);
    }
    const call = [expect.objectContaining({ ...order, id: "evt_1" }), { duration: expect.any(Number) }];
    expect([onHandled.mock.calls, onDuplicate.mock.calls]).toEqual([[call], [call]]);
    const [[, { duration }]] = onHandled.mock.calls as never as [[unknown, { duration: number }]];
    expect(duration).toBeGreaterThan(15);
  });
});

describe("data that a schema rejects", () => {
  const issues = [{ message: "the customer's secret", path: ["id"] }];
  const rejecting = { schemas: schemaOf(() => ({ issues })), on: { "order.paid": () => expect.unreachable() } };
  const paid = delivery({ ...order, id: "evt_1" });
  const clone = async () => (await paid).clone();

  it("is accepted by default, with a warning that names the event, and does not reach the function", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const { status, errors } = await handled(clone(), rejecting);
    expect([status, errors]).toEqual([204, []]);
    const warning =
      "[billing] The schema rejects the webhook evt_1 (order.paid), so its function did not run: data.id: ";
    expect(warn).toHaveBeenCalledExactlyOnceWith(`${warning}the customer's secret`);
  });

  it("is handed to onInvalidData with the whole event, and accepted if it decides so", async () => {
    const onInvalidData = vi.fn(() => "keep" as const);
    const { status } = await handled(clone(), { ...rejecting, onInvalidData });
    expect(status).toBe(204);
    const event = expect.objectContaining({ ...order, id: "evt_1", api_version: CURRENT });
    expect(onInvalidData.mock.calls).toEqual([[event, [{ path: "data.id", message: "the customer's secret" }]]]);
  });

  it("gets a 500 without the schema's message if onInvalidData refuses it, throws or never settles", async () => {
    const invalid = expect.any(WebhookVerificationError);
    for (const [onInvalidData, error, reported] of [
      [() => "refuse", "invalid-data", invalid],
      [() => Promise.reject(new Error("no queue")), "internal-error", new Error("no queue")],
      [() => new Promise(() => {}), "internal-error", expect.any(Error)],
    ] as const) {
      const options = { ...rejecting, timeout: 20, onInvalidData: onInvalidData as () => "keep" };
      const { status, body, errors } = await handled(clone(), options);
      expect([status, JSON.parse(body)]).toEqual([500, { ...failed, error }]);
      expect(errors).toEqual([[reported, { status: 500, event: expect.objectContaining({ id: "evt_1" }) }]]);
    }
  });

  it("is checked only if a function will run, and again for a redelivery", async () => {
    const validate = vi
      .fn()
      .mockReturnValue({ issues })
      .mockReturnValueOnce({ issues })
      .mockReturnValueOnce({ value: {} });
    const run = vi.fn();
    const options = { secret, schemas: schemaOf(validate), onInvalidData: () => "keep" as const };
    const handle = createWebhookHandler({ ...options, on: { "order.paid": run } });
    for (const times of [0, 1, 1]) {
      expect((await handle(await clone())).status).toBe(204);
      expect(run).toHaveBeenCalledTimes(times);
    }
    expect((await handled(clone(), { ...options, on: {} })).status).toBe(204);
    expect(validate).toHaveBeenCalledTimes(2);
  });
});

it.each([
  [{ secret: undefined }, "secret must be the endpoint's secret; received undefined. Is its environment variable set?"],
  [{ on: undefined }, "on must be an object; received undefined"],
  [{ on: { "order.payed": () => 1 } }, 'unknown event type "order.payed"'],
  [{ on: { "order.paid": 1 } }, "on.order.paid must be a function; received number"],
  [{ seen: {} }, "seen.get must be a function; received undefined"],
  [{ timeout: 0 }, "timeout must be an integer from 1 to 2147483647; received 0"],
  [{ onHandled: 1 }, "options.onHandled must be a function; received number"],
  [{ onEror: () => 1 }, 'unknown option "onEror"'],
])("the options of a webhook handler are checked when it is created: %o", (options, problem) => {
  const create = () => createWebhookHandler({ secret, on: {}, ...options } as never);
  expect(create).toThrow(InvalidInputError);
  expect(create).toThrow(`createWebhookHandler: ${problem}`);
});
