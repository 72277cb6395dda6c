import { describe, expect, it } from "vitest";
import { InvalidInputError, signWebhook } from "../../versions/2025-01/webhooks.ts";
import { order, secret } from "./signed.ts";

describe("signWebhook", () => {
  it.each([
    [order, {}, "secret must be the endpoint's secret; received undefined. Is its environment variable set?"],
    [
      order,
      { secret: "whsec_not base64, but long" },
      'secret must be base64 of at least 16 bytes after "whsec_"; for other secrets, pass scheme: "original"',
    ],
    [order, { secret, scheme: "v2" }, 'scheme must be "standard" or "original"; received "v2"'],
    [order, { secret, signedAt: new Date("x") }, "signedAt must be a valid date"],
    [order, { secret, at: 1 }, 'unknown option "at"; expected one of: secret, scheme, signedAt'],
    ["order.paid", { secret }, "event must be an object; received string"],
    [{ type: 1 }, { secret }, "event.type must be a string; received number"],
    [{ type: "order.paid", data: 1n }, { secret }, "event.data must be a JSON value"],
  ])("checks its arguments: %s, %s", async (input, options, problem) => {
    const error = await signWebhook(input as never, options as never).catch((reason) => reason);
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toBe(`signWebhook: ${problem}`);
  });

  it("gives each event its own id", async () => {
    const [one, two] = [await signWebhook(order, { secret }), await signWebhook(order, { secret })];
    expect(one.headers["webhook-id"]).not.toBe(two.headers["webhook-id"]);
  });
});
