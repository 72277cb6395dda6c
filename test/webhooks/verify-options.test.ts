import { createHmac } from "node:crypto";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createWebhookHandler,
  InvalidInputError,
  signWebhook,
  VersionMismatchError,
  verifyWebhook,
} from "../../versions/2025-01/webhooks.ts";
import { event, order, other, rejection, secret } from "./signed.ts";

describe("the secret", () => {
  it("may be one of several, in any place, next to undefined ones", async () => {
    for (const secrets of [
      [secret, other],
      [other, secret],
      [undefined, other, secret, undefined],
    ]) {
      expect(await verifyWebhook(await signWebhook(order, { secret }), { secret: secrets })).toEqual(event);
    }
  });

  it("is rejected if it belongs to another endpoint", async () => {
    const { reason, message } = await rejection(verifyWebhook(await signWebhook(order, { secret }), { secret: other }));
    expect(reason).toBe("signature-mismatch");
    expect(message).toContain("the secret belongs to another endpoint");
  });

  it.each([
    [undefined, "secret must be the endpoint's secret; received undefined. Is its environment variable set?"],
    ["", 'secret must be the endpoint\'s secret; received "". Is its environment variable set?'],
    [[], "secret[0] must be the endpoint's secret; received undefined. Is its environment variable set?"],
    [[undefined], "secret[0] must be the endpoint's secret; received undefined. Is its environment variable set?"],
    [[secret, ""], 'secret[1] must be the endpoint\'s secret; received "". Is its environment variable set?'],
    [" \n", 'secret must be the endpoint\'s secret; received "". Is its environment variable set?'],
    [`${secret}\n`, "secret must not start or end with whitespace"],
    [[secret, ` ${other}`], "secret[1] must not start or end with whitespace"],
  ])("must be given: %j", async (given, problem) => {
    const error = await verifyWebhook({ body: "", headers: {} }, { secret: given as string }).catch((reason) => reason);
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toBe(`verifyWebhook: ${problem}`);
  });

  it.each([
    "whsec_",
    "whsec_undefined",
    "whsec_null",
    "undefined",
    "null",
    "a",
    "whsec_QUJDREVGR0g=",
    "whsec_only-15-bytes-",
  ])("must have a key that nobody can guess: %j", async (guessable) => {
    const problem =
      `secret must be the endpoint's secret; received one with fewer than 16 bytes after "whsec_". ` +
      "Is its environment variable set?";
    const forged = { body: "{}", headers: {} };
    await expect(verifyWebhook(forged, { secret: guessable })).rejects.toThrow(`verifyWebhook: ${problem}`);
    await expect(verifyWebhook(forged, { secret: [secret, guessable] })).rejects.toThrow(
      "verifyWebhook: secret[1] must",
    );
    await expect(signWebhook(order, { secret: guessable, scheme: "original" })).rejects.toThrow(
      `signWebhook: ${problem}`,
    );
    expect(() => createWebhookHandler({ secret: guessable, on: {} })).toThrow(InvalidInputError);
  });

  it("has no key of the standard scheme if its base64 has fewer than 16 bytes", async () => {
    const short = "whsec_QUJDREVGR0hJSktM"; // 16 characters, 12 bytes
    const body = JSON.stringify({ type: "order.paid", timestamp: "t", api_version: "2025-01", data: null });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", "ABCDEFGHIJKL").update(`evt_1.${timestamp}.${body}`).digest("base64");
    const headers = { "webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
    expect((await rejection(verifyWebhook({ body, headers }, { secret: short }))).reason).toBe("signature-mismatch");
    await expect(signWebhook(order, { secret: short })).rejects.toThrow("secret must be base64 of at least 16 bytes");
    const original = await signWebhook(order, { secret: short, scheme: "original" });
    expect(await verifyWebhook(original, { secret: short })).toEqual(event);
  });

  it("is in no error", async () => {
    const delivery = await signWebhook(order, { secret });
    const errors = [
      await verifyWebhook(delivery, { secret: [other, `${other} `] }).catch((error) => error),
      await verifyWebhook(delivery, { secret: other }).catch((error) => error),
      await signWebhook(order, { secret: "whsec_no base64" }).catch((error) => error),
    ];
    for (const error of errors) {
      expect(`${error.stack}${JSON.stringify(error)}`).not.toMatch(/C2FVsBQ|no base64/);
    }
  });
});

describe("the tolerance", () => {
  const now = new Date("2025-02-03T04:05:06.789Z");
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);

  it.each([
    [-300, undefined],
    [300, undefined],
    [-10, 10],
    [-100_000, 100_000],
    [0, 0],
  ])("accepts a delivery signed at %i s, with a tolerance of %s", async (seconds, tolerance) => {
    const delivery = await signWebhook(order, { secret, signedAt: at(seconds) });
    expect(await verifyWebhook(delivery, { secret, tolerance, now: () => now })).toEqual(event);
  });

  it.each([
    [-301, undefined, "timestamp-too-old", "signed 301 s ago; the tolerance is 300 s."],
    [-11, 10, "timestamp-too-old", "this machine's clock is fast, or the request is old."],
    [301, undefined, "timestamp-too-new", "signed 301 s in the future; the tolerance is 300 s."],
    [1, 0, "timestamp-too-new", "this machine's clock is slow."],
  ])("rejects a delivery signed at %i s, with a tolerance of %s", async (seconds, tolerance, reason, problem) => {
    const delivery = await signWebhook(order, { secret, signedAt: at(seconds) });
    const error = await rejection(verifyWebhook(delivery, { secret, tolerance, now: () => now.getTime() }));
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(problem);
  });

  it("uses the clock of the moment, so that fake timers control a handler at the top of a module", async () => {
    const handle = createWebhookHandler({ secret, on: {} });
    vi.useFakeTimers({ now: at(100_000_000) });
    onTestFinished(() => void vi.useRealTimers());
    const delivery = await signWebhook(order, { secret });
    expect(await verifyWebhook(delivery, { secret })).toEqual(event);
    const request = new Request("https://shop.example", { method: "POST", ...delivery });
    expect((await handle(request)).status).toBe(204);
  });

  it("says how to verify a delivery of a mock whose clock is another", async () => {
    const delivery = await signWebhook(order, { secret, signedAt: now });
    const { message } = await rejection(verifyWebhook(delivery, { secret }));
    expect(message).toContain("With a mock, pass now: mock.clock.now.");
  });

  it("rejects every delivery if the clock gives no time", async () => {
    const delivery = await signWebhook(order, { secret });
    const error = await rejection(verifyWebhook(delivery, { secret, now: () => Number.NaN }));
    expect(error.reason).toBe("timestamp-too-new");
  });
});

describe("the version", () => {
  it("throws for an event of another version, with instructions", async () => {
    const delivery = await signWebhook({ ...order, api_version: "2024-10" }, { secret });
    const error = await verifyWebhook(delivery, { secret }).catch((reason) => reason);
    expect(error).toBeInstanceOf(VersionMismatchError);
    expect(error).toMatchObject({ expected: "2025-01", received: "2024-10" });
    for (const words of [
      "@billing-service/sdk/<version>/webhooks",
      'versions: ["2024-10"]',
      "set the endpoint's api_version to",
    ]) {
      expect(error.message).toContain(words);
    }
  });

  it("may be another that `versions` allows", async () => {
    const delivery = await signWebhook({ ...order, api_version: "2024-10" }, { secret });
    const verified = await verifyWebhook(delivery, { secret, versions: ["2024-10"] });
    expect(verified.api_version).toBe("2024-10");
    await expect(verifyWebhook(delivery, { secret, versions: ["2025-04"] })).rejects.toBeInstanceOf(
      VersionMismatchError,
    );
  });

  it("is that of the signed body, whatever the header says", async () => {
    const { body, headers } = await signWebhook(order, { secret });
    const given = { ...headers, "webhook-api-version": "2024-10" };
    expect(await verifyWebhook({ body, headers: given }, { secret })).toEqual(event);
  });
});

describe("an option", () => {
  it.each([
    [{ tolerence: 1 }, 'unknown option "tolerence". Did you mean "tolerance"?'],
    [{ tolerance: -1 }, "tolerance must be an integer from 0 to 2147483647; received -1"],
    [{ versions: ["2024"] }, "versions must be an array of versions (YYYY-MM)"],
    [{ now: 1 }, "now must be a function; received number"],
    [{ schemas: { "order.payed": {} } }, 'unknown event type "order.payed". Did you mean "order.paid"?'],
    [{ schemas: { "order.paid": {} } }, 'schemas["order.paid"] must implement Standard Schema; received object'],
    [{ schemas: [] }, "schemas must be an object; received array"],
  ])("is checked: %j", async (options, problem) => {
    const delivery = await signWebhook(order, { secret });
    const error = await verifyWebhook(delivery, { secret, ...(options as object) }).catch((reason) => reason);
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toBe(`verifyWebhook: ${problem}`);
  });

  it("and an argument must be objects", async () => {
    await expect(verifyWebhook("x" as never, { secret })).rejects.toThrow(
      "verifyWebhook: delivery must be an object; received string",
    );
    await expect(verifyWebhook({ body: "" } as never, { secret })).rejects.toThrow(
      "verifyWebhook: delivery.headers must be an object; received undefined",
    );
    await expect(verifyWebhook({ body: "", headers: {} }, undefined as never)).rejects.toThrow(
      "verifyWebhook: options must be an object; received undefined",
    );
  });
});
