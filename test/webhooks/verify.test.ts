import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type SignatureScheme, signWebhook, verifyWebhook } from "../../versions/2025-01/webhooks.ts";
import { event, order, other, rejection, secret } from "./signed.ts";

const schemes: readonly SignatureScheme[] = ["standard", "original"];

afterEach(() => void vi.restoreAllMocks());

describe("verifyWebhook", () => {
  it("DEL-7, G-SIGN: accepts what the Standard Webhooks library signs", async () => {
    const body = JSON.stringify({ type: "order.paid", timestamp: "t", api_version: "2025-01", data: { id: "ö" } });
    const now = new Date();
    const headers = {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign("evt_1", now, body),
    };
    const verified = await verifyWebhook({ body, headers }, { secret });
    expect(verified).toEqual({
      id: "evt_1",
      type: "order.paid",
      timestamp: "t",
      api_version: "2025-01",
      data: { id: "ö" },
    });
  });

  it("DEL-8, G-SIGN: accepts an HMAC keyed with the bytes of the complete secret", async () => {
    const body = JSON.stringify({ type: "order.paid", timestamp: "t", api_version: "2025-01", data: null });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", "whsec_not+base64!but+long+ä")
      .update(`evt_1.${timestamp}.${body}`)
      .digest("base64");
    const headers = { "webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
    await expect(verifyWebhook({ body, headers }, { secret: "whsec_not+base64!but+long+ä" })).resolves.toMatchObject({
      data: null,
    });
  });

  it.each(schemes)(
    "accepts a Request that signWebhook signed with the scheme %s, and returns the event",
    async (scheme) => {
      const delivery = await signWebhook({ ...order, id: "evt_7" }, { secret, scheme });
      const request = new Request("https://shop.example/webhooks", { method: "POST", ...delivery });
      expect(await verifyWebhook(request, { secret })).toEqual({
        ...order,
        id: "evt_7",
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        api_version: "2025-01",
      });
    },
  );

  it.each(schemes)("gives the same result without node:crypto, with the scheme %s", async (scheme) => {
    const input = { ...order, id: "evt_1", timestamp: "t" };
    const options = { secret: other, scheme, signedAt: new Date() };
    const delivery = await signWebhook(input, options);
    const sign = vi.spyOn(crypto.subtle, "sign");
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    expect(await signWebhook(input, options)).toEqual(delivery);
    expect(await verifyWebhook(delivery, { secret: other })).toEqual(event);
    expect(sign).toHaveBeenCalled();
  });

  it("returns an event of a type that the version does not know", async () => {
    const delivery = await signWebhook({ type: "order.shipped", data: [1] }, { secret });
    expect(await verifyWebhook(delivery, { secret })).toMatchObject({ type: "order.shipped", data: [1] });
  });
});

describe("the signature", () => {
  it("may be one of several in its header", async () => {
    const { body, headers } = await signWebhook(order, { secret });
    const right = headers["webhook-signature"] ?? "";
    const wrong = `v1,${"A".repeat(43)}=`;
    for (const signature of [`${wrong} ${right}`, `${right} ${wrong}`, `v1a,abc ${right}`, [wrong, right]]) {
      expect(
        await verifyWebhook({ body, headers: { ...headers, "webhook-signature": signature } }, { secret }),
      ).toEqual(event);
    }
    const repeated = new Headers({ ...headers, "webhook-signature": wrong });
    repeated.append("webhook-signature", right);
    repeated.append("webhook-signature", wrong);
    expect(await verifyWebhook({ body, headers: repeated }, { secret })).toEqual(event);
  });

  it.each<[string, (signature: string) => string]>([
    ["has another first character", (right) => right.replace(/,./, (start) => (start === ",A" ? ",B" : ",A"))],
    ["has another last character", (right) => `${right.slice(0, -1)}A`],
    ["is one character shorter", (right) => right.slice(0, -1)],
    ["is one character longer", (right) => `${right}A`],
  ])("is rejected if it %s", async (_, change) => {
    const { body, headers } = await signWebhook(order, { secret });
    const given = { ...headers, "webhook-signature": change(headers["webhook-signature"] ?? "") };
    const { reason } = await rejection(verifyWebhook({ body, headers: given }, { secret }));
    expect(reason).toBe("signature-mismatch");
  });

  it("says that the body was serialized again if it is that of the compact JSON", async () => {
    const { body, headers } = await signWebhook(order, { secret, scheme: "original" });
    const pretty = JSON.stringify(JSON.parse(body), undefined, 2);
    const { reason, message } = await rejection(verifyWebhook({ body: pretty, headers }, { secret }));
    expect(reason).toBe("body-changed");
    expect(message).toContain("parsed and serialized again");
  });

  it.each([
    ["", "header-missing", "The header webhook-signature is missing."],
    ["v2,abc", "header-malformed", 'The header webhook-signature must contain a signature that starts with "v1,".'],
    ["v1,x", "signature-mismatch", "The signature does not match"],
    [`v1,${"A".repeat(5_000)}`, "header-malformed", "The header webhook-signature must have at most 4096 characters."],
  ])("is rejected if it is %.12s", async (signature, reason, problem) => {
    const { body, headers } = await signWebhook(order, { secret });
    const given = { ...headers, "webhook-signature": signature };
    const error = await rejection(verifyWebhook({ body, headers: given }, { secret }));
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(problem);
  });
});

describe("the headers", () => {
  it("may be Headers, or an object with names in any case and arrays", async () => {
    const { body, headers } = await signWebhook(order, { secret });
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    const arrays = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    for (const given of [new Headers(headers), upper, arrays, new Map(Object.entries(headers)) as never]) {
      expect(await verifyWebhook({ body, headers: given }, { secret })).toEqual(event);
    }
  });

  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("must contain %s", async (name) => {
    const { body, headers } = await signWebhook(order, { secret });
    const { [name]: _, ...rest } = headers;
    const { reason, message } = await rejection(verifyWebhook({ body, headers: rest }, { secret }));
    expect(reason).toBe("header-missing");
    expect(message).toMatch(new RegExp(`^The header ${name} is missing\\. Usual cause: `));
  });

  it.each(["soon", "-1", "1.5", "1e9", "0x10"])("are rejected with the timestamp %s", async (timestamp) => {
    const { body, headers } = await signWebhook(order, { secret });
    const given = { ...headers, "webhook-timestamp": timestamp };
    expect(await rejection(verifyWebhook({ body, headers: given }, { secret }))).toMatchObject({
      reason: "header-malformed",
      message: expect.stringContaining("The header webhook-timestamp must be a number of seconds since 1970."),
    });
  });
});
