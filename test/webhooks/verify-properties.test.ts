import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifyWebhook, type WebhookHeaders } from "#current/webhooks";
import { isBillingError } from "../../src/errors/index.ts";
import type { SignatureScheme } from "../../src/webhooks/index.ts";
import { holds } from "../fuzz/parameters.ts";
import { CURRENT } from "../support/versions.ts";
import { secret, signedText } from "./signed.ts";

const SIGNED = ["webhook-id", "webhook-timestamp", "webhook-signature"];

const scheme = fc.constantFrom<SignatureScheme>("standard", "original");
const text = fc.string({ unit: "binary" });
const type = fc.oneof(fc.constantFrom("order.paid", "order.shipped"), fc.string());
const payload = fc.record({ type, data: fc.jsonValue(), timestamp: fc.string(), api_version: fc.constant(CURRENT) });

/** Anything that a body or a header may be, most of it close to what is valid. */
const anyBody = fc.oneof(fc.uint8Array(), text, fc.json(), fc.anything());
const anyHeader = fc.oneof(
  text,
  fc.constant(String(Math.floor(Date.now() / 1000))),
  fc.string().map((signature) => `v1,${signature}`),
  fc.array(fc.oneof(text, fc.constant({ toString: 0 }))),
  fc.anything(),
);
const anyHeaders = fc.oneof(
  fc.record(Object.fromEntries(SIGNED.map((name) => [name, anyHeader])), { requiredKeys: [] }),
  fc.dictionary(text, anyHeader),
  fc.constant(new Headers({ "webhook-id": "1" })),
);

describe("verifyWebhook", () => {
  it("accepts nothing unsigned, and throws only errors of the package, for arbitrary bytes and headers", async () => {
    await holds(2_000, fc.tuple(anyBody, anyHeaders), async ([body, headers]) => {
      const delivery = { body: body as string, headers: headers as WebhookHeaders };
      const outcome = await verifyWebhook(delivery, { secret }).catch((error: unknown) => error);
      expect(isBillingError(outcome), String(outcome)).toBe(true);
      expect(String((outcome as Error).stack)).not.toContain(secret.slice(6));
    });
  });

  it("accepts every signed event, and rejects it with another secret", async () => {
    await holds(500, fc.tuple(payload, scheme, fc.boolean()), async ([input, scheme, asBytes]) => {
      const { body, headers } = await signedText(JSON.stringify(input), scheme);
      const delivery = { body: asBytes ? new TextEncoder().encode(body) : body, headers };
      const event = await verifyWebhook(delivery, { secret });
      expect(event).toMatchObject({ id: "evt_1", type: input.type });
      expect(JSON.stringify(event.data)).toBe(JSON.stringify(input.data));
      await expect(verifyWebhook(delivery, { secret: `${secret}A` })).rejects.toSatisfy(isBillingError);
    });
  });

  const part = fc.constantFrom("body", ...SIGNED);

  it("detects every flipped bit of the body and the headers of a valid delivery", async () => {
    await holds(
      2_000,
      fc.tuple(payload, scheme, part, fc.nat(), fc.nat(7)),
      async ([input, scheme, part, place, bit]) => {
        const { body, headers } = await signedText(JSON.stringify(input), scheme);
        const bytes = Buffer.from(part === "body" ? body : (headers[part] ?? ""));
        const at = place % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        const changed =
          part === "body"
            ? { body: bytes, headers }
            : { body, headers: { ...headers, [part]: bytes.toString("latin1") } };
        await expect(verifyWebhook(changed, { secret })).rejects.toSatisfy(isBillingError);
      },
    );
  });
});
