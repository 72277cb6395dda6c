import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createMock } from "../../mock/index.ts";
import { sign, signingKey } from "../../src/webhooks/index.ts";
import { type StandardSchema, signWebhook, verifyWebhook } from "../../versions/2025-01/webhooks.ts";
import { order, rejection, secret } from "./signed.ts";

/** Signs any text as if the service had sent it. */
async function signed(body: string) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = await sign({ id: "evt_1", timestamp, body }, signingKey(secret, "standard"));
  return { body, headers: { "webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": signature } };
}

describe("a signed payload", () => {
  it.each([
    ["", "not-json", "The signed body is not JSON."],
    ["{", "not-json", "The signed body is not JSON."],
    ["\ufeff{}", "not-json", "The signed body is not JSON."],
    ["[]", "invalid-payload", "The signed body is not an object."],
    ["null", "invalid-payload", "is not an object."],
    ["{}", "invalid-payload", 'must have a string in the field "type".'],
    [
      '{"type":"a","timestamp":1,"api_version":"2025-01","data":1}',
      "invalid-payload",
      'must have a string in the field "timestamp".',
    ],
    ['{"type":"a","timestamp":"","data":1}', "invalid-payload", 'must have a string in the field "api_version".'],
    ['{"type":"a","timestamp":"","api_version":"2025-01"}', "invalid-payload", 'has no "data" field.'],
  ])("that is %j is rejected", async (body, reason, problem) => {
    const error = await rejection(verifyWebhook(await signed(body), { secret }));
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(problem);
  });

  it.each(["discord", "slack"] as const)("DEL-2: of the format %s is rejected, with what to do", async (format) => {
    const mock = createMock();
    const endpoint = mock.webhookEndpoints.create({ format });
    let error: unknown;
    mock.webhooks.receive(endpoint.url, async (request) => {
      error = await rejection(verifyWebhook(request, { secret: endpoint.secret }));
      return new Response();
    });
    mock.webhooks.emit("order.paid", { id: "ord_1" });
    await mock.webhooks.idle();
    expect(error).toMatchObject({
      reason: "unsupported-format",
      message: expect.stringContaining('set its format to "raw"'),
    });
  });

  it("may contain more fields, a deep value, and the name __proto__", async () => {
    const depth = 10_000;
    const data = `{"__proto__":{"polluted":1},"deep":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    const body = `{"type":"order.paid","timestamp":"t","api_version":"2025-01","more":1,"__proto__":{"id":1},"data":${data}}`;
    const event = await verifyWebhook(await signed(body), { secret });
    expect(Object.keys(event)).toEqual(["id", "type", "timestamp", "api_version", "data"]);
    expect(Object.getPrototypeOf(event)).toBe(Object.prototype);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe("a schema", () => {
  const Order = z.object({ id: z.string(), amount: z.pipe(z.number(), z.transform(String)) });

  it("replaces data with its output", async () => {
    const event = await verifyWebhook(await signWebhook(order, { secret }), {
      secret,
      schemas: { "order.paid": Order },
    });
    expect(event.data).toEqual({ id: "ord_1", amount: "1200" });
  });

  it("may be asynchronous, and is not used for other types", async () => {
    const schema = Order as StandardSchema;
    const slow: StandardSchema = {
      "~standard": { version: 1, vendor: "test", validate: async (value) => schema["~standard"].validate(value) },
    };
    const schemas = { "order.paid": slow, "order.refunded": slow };
    expect(await verifyWebhook(await signWebhook(order, { secret }), { secret, schemas })).toMatchObject({
      data: { amount: "1200" },
    });
    const created = await signWebhook({ type: "order.created", data: 1 }, { secret });
    expect(await verifyWebhook(created, { secret, schemas })).toMatchObject({ data: 1 });
    const inherited = await signWebhook({ type: "toString", data: 1 }, { secret });
    expect(await verifyWebhook(inherited, { secret, schemas })).toMatchObject({ data: 1 });
  });

  it("that rejects the data gives an error with its problems", async () => {
    const delivery = await signWebhook({ type: "order.paid", data: { amount: "1200" } }, { secret });
    const error = await rejection(verifyWebhook(delivery, { secret, schemas: { "order.paid": Order } }));
    expect(error.reason).toBe("invalid-data");
    expect(error.mismatches.map(({ path }) => path)).toEqual(["data.id", "data.amount"]);
    expect(error.message).toMatch(/^Your schema for "order\.paid" rejects the data: data\.id: .+; data\.amount: .+/);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ reason: "invalid-data", mismatches: error.mismatches });
  });

  it("with many issues keeps the first 100, and lists 3", async () => {
    const issues = Array.from({ length: 500 }, (_, key) => ({ message: "wrong", path: [{ key }, "x"] }));
    const schema: StandardSchema = { "~standard": { version: 1, vendor: "test", validate: () => ({ issues }) } };
    const delivery = await signWebhook(order, { secret });
    const error = await rejection(verifyWebhook(delivery, { secret, schemas: { "order.paid": schema } }));
    expect(error.mismatches).toHaveLength(100);
    expect(error.message).toMatch(/: data\[0\]\.x: wrong; data\[1\]\.x: wrong; data\[2\]\.x: wrong; and 497 more$/);
  });

  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const failing: Record<string, () => unknown> = {
    throws: () => {
      throw new RangeError("too deep");
    },
    "throws a revoked proxy": () => {
      throw revoked();
    },
    "returns nothing": () => undefined,
    "returns a promise of null": async () => null,
    "returns a revoked proxy": revoked,
    "returns issues that are no array": () => ({ issues: 1 }),
    "returns issues that are null": () => ({ issues: [null] }),
    "returns a path that is no array": () => ({ issues: [{ message: "no", path: 1 }] }),
    "returns a path with null": () => ({ issues: [{ message: "no", path: [null] }] }),
  };

  it.each(Object.entries(failing))("that %s gives an error with the cause", async (_, validate) => {
    const schema = { "~standard": { version: 1, vendor: "test", validate } } as StandardSchema;
    const delivery = await signWebhook(order, { secret });
    const error = await rejection(verifyWebhook(delivery, { secret, schemas: { "order.paid": schema } }));
    expect(error.reason).toBe("invalid-data");
    expect(error.message).toBe('Your schema for "order.paid" failed; see `cause`.');
    expect(Object.hasOwn(error, "cause")).toBe(true);
  });
});
