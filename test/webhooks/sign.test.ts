import { createHmac } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, vi } from "vitest";
import { InvalidInputError, signWebhook } from "#current/webhooks";
import { type SignedParts, signedHeaders, signingKey } from "../../src/webhooks/index.ts";
import { holds } from "../fuzz/parameters.ts";
import { CURRENT } from "../support/versions.ts";
import { order, secret } from "./signed.ts";

/** Returns the signature of a delivery. */
async function sign(parts: SignedParts, key: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  return (await signedHeaders({ ...parts, api_version: CURRENT }, key))["webhook-signature"];
}

describe("the signature of a delivery", () => {
  it("DEL-7, G-SIGN: equals that of the Standard Webhooks library for every body", async () => {
    await holds(100, fc.tuple(fc.string({ unit: "grapheme" }), fc.nat()), async ([body, seconds]) => {
      const expected = new Webhook(secret).sign("evt_1", new Date(seconds * 1000), body);
      for (const given of [secret, secret.slice("whsec_".length)]) {
        const key = signingKey(given, "standard");
        expect(await sign({ id: "evt_1", timestamp: seconds, body }, key)).toBe(expected);
      }
    });
  });

  it("DEL-8, G-SIGN: equals a plain HMAC keyed with the bytes of the complete secret, for every secret", async () => {
    await holds(100, fc.tuple(fc.string({ unit: "grapheme", minLength: 1 }), fc.string()), async ([text, body]) => {
      const expected = createHmac("sha256", `whsec_${text}`).update(`evt_1.1700000000.${body}`).digest("base64");
      const key = signingKey(`whsec_${text}`, "original");
      expect(await sign({ id: "evt_1", timestamp: "1700000000", body }, key)).toBe(`v1,${expected}`);
    });
  });

  it.each([
    ["process", undefined],
    ["node:crypto", { getBuiltinModule: () => undefined }],
    ["functions of process", { getBuiltinModule: () => expect.unreachable("as in Next.js's Edge runtime") }],
  ])("DEL-7: is the same in a runtime without %s", async (_, process) => {
    vi.stubGlobal("process", process);
    const signing = sign({ id: "evt_1", timestamp: 1, body: "ä" }, signingKey(secret, "standard"));
    const signature = await signing.finally(() => vi.unstubAllGlobals());
    expect(signature).toBe(new Webhook(secret).sign("evt_1", new Date(1000), "ä"));
  });
});

it.each([
  [order, {}, "secret must be the endpoint's secret; received undefined. Is its environment variable set?"],
  [order, { secret: "whsec_not base64, but long" }, 'secret must be base64 after "whsec_"'],
  [order, { secret, signedAt: new Date("x") }, "signedAt must be a valid date"],
  [{ type: "order.paid", data: 1n }, { secret }, "event cannot be serialized as JSON"],
] as [unknown, object, string][])("signWebhook checks its arguments: %s, %s", async (input, options, problem) => {
  const error = await signWebhook(input as never, options as never).catch((reason) => reason);
  expect(error).toBeInstanceOf(InvalidInputError);
  expect(error.message).toContain(`signWebhook: ${problem}`);
});
