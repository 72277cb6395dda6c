import { createHmac } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import { sign, signingKey, WEBHOOK_HEADERS } from "../../src/webhooks/index.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

describe("the signature of a delivery", () => {
  it("DEL-7, G-SIGN: equals that of the Standard Webhooks library for every body", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.nat(), async (body, seconds) => {
        const expected = new Webhook(secret).sign("evt_1", new Date(seconds * 1000), body);
        const key = signingKey(secret, "standard");
        expect(await sign({ id: "evt_1", timestamp: seconds, body }, key)).toBe(expected);
      }),
    );
  });

  it("DEL-8, G-SIGN: equals a plain HMAC keyed with the bytes of the complete secret, for every secret", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), fc.string(), async (text, body) => {
        const expected = createHmac("sha256", `whsec_${text}`).update(`evt_1.1700000000.${body}`).digest("base64");
        const key = signingKey(`whsec_${text}`, "original");
        expect(await sign({ id: "evt_1", timestamp: "1700000000", body }, key)).toBe(`v1,${expected}`);
      }),
    );
  });

  it("differs between the schemes", () => {
    expect(signingKey(secret, "standard")).toHaveLength(24);
    expect(signingKey(secret, "original")).toHaveLength(secret.length);
  });

  it("accepts a standard secret with its prefix and without one", () => {
    expect(signingKey(secret.slice(6), "standard")).toEqual(signingKey(secret, "standard"));
  });

  it.each(["whsec_", "", "whsec_no base64!", "whsec_ä"])(
    "rejects %j as a standard secret without repeating it",
    (bad) => {
      expect(() => signingKey(bad, "standard")).toThrow(TypeError);
      expect(() => signingKey(bad, "standard")).toThrow(
        /^A secret of the Standard Webhooks scheme must be "whsec_" followed by base64\.$/,
      );
    },
  );

  it("G-WHE-SECRET: has a key of 32 random bytes, or of the prefix with 43 letters and digits", () => {
    const mock = createMock();
    const standard = mock.webhookEndpoints.create();
    const original = mock.webhookEndpoints.create({ uses_standard_webhook_signature: false });
    expect(signingKey(standard.secret, "standard")).toHaveLength(32);
    expect(original.secret).toMatch(/^whsec_[A-Za-z0-9]{43}$/);
  });

  it("G-SIGN: uses the headers of Standard Webhooks", () => {
    expect(WEBHOOK_HEADERS).toEqual({
      id: "webhook-id",
      timestamp: "webhook-timestamp",
      signature: "webhook-signature",
      version: "webhook-api-version",
    });
  });
});
