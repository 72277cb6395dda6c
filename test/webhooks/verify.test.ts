import { createHmac } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import {
  createWebhookHandler,
  InvalidInputError,
  type StandardSchema,
  signWebhook,
  VersionMismatchError,
  verifyWebhook,
} from "#current/webhooks";
import { standardSchema } from "../support/standard-schema.ts";
import { CURRENT, DEPRECATED, NEXT } from "../support/versions.ts";
import { delivery, event, order, other, rejection, secret, signedText } from "./signed.ts";

const signed = await signWebhook(order, { secret });
const { body, headers } = signed;
const signature = headers["webhook-signature"] ?? "";
const unset = "Is its environment variable set?";
const withHeader = (name: string, value: string | string[] | undefined) => ({
  body,
  headers: { ...headers, [`webhook-${name}`]: value },
});

describe("a forged delivery", () => {
  it("costs at most ten times its HMAC, whatever the body is", async () => {
    const hmac = (bytes: Buffer) => void createHmac("sha256", secret).update(bytes).digest();
    const fields = Array.from({ length: 100_000 }, (_, index) => `"${index}":0`);
    for (const forged of [`{${fields.join(",")}}`, "é".repeat(500_000)]) {
      const bytes = Buffer.from(forged);
      const verify = () => rejection({ headers, body: bytes });
      expect((await verify()).reason).toBe("signature-mismatch");
      expect(await fastest(verify)).toBeLessThan(10 * (await fastest(() => hmac(bytes))));
    }
  });
});

/** Returns the time of the fastest of several runs, in milliseconds. */
async function fastest(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 20; i++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

describe("the headers", () => {
  const wrong = `v1,${"A".repeat(43)}=`;

  it("may be a Request's headers, Headers, or an object with names in any case and arrays", async () => {
    const entries = Object.entries(headers);
    const upper = Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value]));
    const arrays = Object.fromEntries(entries.map(([name, value]) => [name, [value]]));
    for (const given of [new Headers(headers), upper, arrays]) {
      expect(await verifyWebhook({ body, headers: given }, { secret })).toEqual(event);
    }
    expect(await verifyWebhook(await delivery({ ...order, id: "evt_7" }), { secret })).toEqual({
      ...order,
      id: "evt_7",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      api_version: CURRENT,
    });
  });

  it("may have several signatures, of which one is right", async () => {
    const both = [wrong, signature];
    for (const given of [`${signature} ${wrong}`, `v1a,abc ${signature}`, both, both.join(), signature.split(",")]) {
      expect(await verifyWebhook(withHeader("signature", given), { secret })).toEqual(event);
    }
    const late = withHeader("signature", `${`${wrong} `.repeat(100)}${signature}`);
    expect((await rejection(late)).reason).toBe("signature-mismatch");
    const repeated = new Headers({ ...headers, "webhook-signature": wrong });
    for (const each of [signature, wrong]) repeated.append("webhook-signature", each);
    expect(await verifyWebhook({ body, headers: repeated }, { secret })).toEqual(event);
  });

  it.each([
    ...["id", "timestamp", "signature"].map((name) => [name, undefined, "header-missing", "is missing. Usual cause: "]),
    ["signature", "", "header-missing", "is missing."],
    ...["soon", "-1", "1e9", "9".repeat(16)].map((time) => [
      ...["timestamp", time, "header-malformed", "must be a number of seconds since 1970."],
    ]),
  ] as [string, string | undefined, string, string][])(
    "are rejected if webhook-%s is %.12s: %s",
    async (name, value, reason, problem) => {
      const error = await rejection(withHeader(name, value));
      expect(error.reason).toBe(reason);
      expect(error.message).toContain(`The header webhook-${name} ${problem}`);
    },
  );
});

describe("the secret", () => {
  it("may be one of several, in any place, next to undefined ones", async () => {
    for (const more of [[], [undefined]])
      expect(await verifyWebhook(signed, { secret: [...more, other, secret, ...more] })).toEqual(event);
    expect(await verifyWebhook(signed, { secret: [secret, other] })).toEqual(event);
    expect((await rejection(signed, { secret: other })).reason).toBe("signature-mismatch");
  });

  const short = `must be the endpoint's secret; received fewer than 16 characters. ${unset}`;

  it.each([
    ["whsec_", short],
    ["undefined", short],
    ["whsec_only-15-letters", short],
    [`"${secret}"`, "must not start or end with whitespace, a quote or punctuation"],
    [`${secret}\n`, "must not start or end with whitespace"],
    [`v1,${secret}`, 'must start with "whsec_"; remove what precedes it'],
    [`WEBHOOK_SECRET=${secret}`, 'must start with "whsec_"; remove what precedes it'],
  ])("must be neither guessable nor copied with more than itself: %j", async (wrong, problem) => {
    expect(() => createWebhookHandler({ secret: wrong, on: {} })).toThrow(`createWebhookHandler: secret ${problem}`);
    await expect(signWebhook(order, { secret: wrong })).rejects.toThrow(`signWebhook: secret ${problem}`);
    const error = await verifyWebhook(signed, { secret: [secret, wrong] }).catch((reason) => reason);
    expect(error.message).toContain(`verifyWebhook: secret[1] ${problem}`);
    expect(`${error.stack}${JSON.stringify(error)}`).not.toContain(secret.slice(6));
  });

  it("may be written in the URL-safe alphabet of base64", async () => {
    const key = Buffer.from("fbff3e3f".repeat(6), "hex");
    const { body, headers } = await signWebhook(order, { secret: `whsec_${key.toString("base64")}` });
    const urlSafe = `whsec_${key.toString("base64url")}`;
    expect(urlSafe).toMatch(/-.*_/);
    expect(await verifyWebhook({ body, headers }, { secret: urlSafe })).toEqual(event);
  });
});

describe("the tolerance", () => {
  const now = new Date("2025-02-03T04:05:06.789Z");
  const signedAt = (seconds: number) =>
    signWebhook(order, { secret, signedAt: new Date(now.getTime() + seconds * 1000) });

  it.each<[seconds: number, tolerance?: number | undefined, reason?: string, problem?: string]>([
    [-300],
    [300],
    [0, 0],
    [-301, undefined, "timestamp-too-old", "signed 301 s ago; the tolerance is 300 s."],
    [-11, 10, "timestamp-too-old", "this machine's clock is wrong, or the request is old."],
    [301, undefined, "timestamp-too-new", "signed 301 s in the future; the tolerance is 300 s."],
  ])("of a delivery signed at %i s is checked: %s, %s", async (seconds, tolerance, reason, problem) => {
    const given = signedAt(seconds);
    if (reason === undefined) {
      expect(await verifyWebhook(await given, { secret, tolerance, now: () => now })).toEqual(event);
    } else {
      const message = expect.stringContaining(problem ?? "");
      expect(await rejection(await given, { tolerance, now: () => now.getTime() })).toMatchObject({ reason, message });
    }
  });

  it("uses the clock of the moment, so that fake timers control a handler at the top of a module", async () => {
    const handle = createWebhookHandler({ secret, on: {} });
    vi.useFakeTimers({ now: now.getTime() + 1e11 });
    expect((await handle(await delivery())).status).toBe(204);
  });
});

describe("the version", () => {
  it("must be that of the entry point, unless `versions` allows it", async () => {
    const old = await signWebhook({ ...order, api_version: DEPRECATED }, { secret });
    for (const versions of [undefined, [NEXT]]) {
      const error = await verifyWebhook(old, { secret, versions }).catch((reason) => reason);
      expect(error).toBeInstanceOf(VersionMismatchError);
      expect(error).toMatchObject({ expected: CURRENT, received: DEPRECATED });
      expect(error.message).toMatch(/sdk\/<version>\/webhooks.*versions: \["[\d-]+"\].*set the endpoint's api_version/);
    }
    expect(await verifyWebhook(old, { secret, versions: [DEPRECATED] })).toMatchObject({ api_version: DEPRECATED });
  });

  it("is that of the signed body, whatever the header says", async () => {
    expect(await verifyWebhook(withHeader("api-version", DEPRECATED), { secret })).toEqual(event);
  });
});

describe("a signed payload", () => {
  it.each<[string, object]>([
    ["[1]", { type: "", data: [1] }],
    ["null", { type: "", data: null }],
    ["", { type: "", data: "" }],
    ["{\ufffd", { type: "", data: "{\ufffd" }],
    ['{"content":"order.paid","embeds":[]}', { type: "", data: { content: "order.paid", embeds: [] } }],
    ['{"type":"order.paid","timestamp":1,"data":2}', { type: "order.paid", data: 2 }],
    ['{"type":"a.b"}', { type: "a.b", data: { type: "a.b" } }],
  ])("that is %s is returned, with one warning", async (text, expected) => {
    vi.resetModules();
    const { verifyWebhook } = await import("#current/webhooks");
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const signed = await signedText(text);
    for (const { "webhook-api-version": version, ...headers } of [signed.headers, signed.headers]) {
      const event = await verifyWebhook({ ...signed, headers }, { secret });
      const timestamp = new Date(Number(headers["webhook-timestamp"]) * 1000).toISOString();
      expect(event).toEqual({ id: "evt_1", timestamp, api_version: version, ...expected });
      expect(event.rawBody).toBe(signed.body);
    }
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("The signed payload of a webhook lacks"));
  });

  it("without a version has that of the header", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const { body, headers } = await signedText('{"type":"order.paid","data":1}');
    const delivery = { body, headers: { ...headers, "webhook-api-version": NEXT } };
    expect(await verifyWebhook(delivery, { secret, versions: [NEXT] })).toMatchObject({ api_version: NEXT });
    await expect(verifyWebhook(delivery, { secret })).rejects.toBeInstanceOf(VersionMismatchError);
  });

  it("stays readable in rawBody, with integers that data rounds, but not in copies and JSON", async () => {
    const text = `{"type":"order.paid","timestamp":"t","api_version":"${CURRENT}","data":{"id":1524831183200260097}}`;
    const schemas = { "order.paid": z.object({ id: z.number() }) };
    const event = await verifyWebhook(await signedText(text), { secret, schemas });
    expect(event.rawBody).toBe(text);
    expect(Object.keys(event)).toEqual(["id", "type", "timestamp", "api_version", "data"]);
  });
});

describe("a schema", () => {
  const Order = z.object({ id: z.string(), amount: z.pipe(z.number(), z.transform(String)) });
  const schemaOf = (validate: (value: unknown) => unknown) => standardSchema(validate as never);

  it("replaces data with its output, may be asynchronous, and is not used for other types", async () => {
    const slow = schemaOf(async (value) => (Order as StandardSchema)["~standard"].validate(value));
    for (const schema of [Order, slow]) {
      const schemas = { "order.paid": schema, "order.refunded": schema };
      const dataOf = async (input: Parameters<typeof signWebhook>[0]) =>
        (await verifyWebhook(await signWebhook(input, { secret }), { secret, schemas })).data;
      expect(await dataOf(order)).toEqual({ id: "ord_1", amount: "1200" });
      for (const type of ["order.created", "toString"]) expect(await dataOf({ type, data: 1 })).toBe(1);
    }
  });

  it("that rejects the data gives an error with its problems, of which the message lists 3", async () => {
    const lacking = await signWebhook({ type: "order.paid", data: { amount: "1200" } }, { secret });
    const error = await rejection(lacking, { schemas: { "order.paid": Order } });
    expect(error.reason).toBe("invalid-data");
    expect(error.mismatches.map(({ path }) => path)).toEqual(["data.id", "data.amount"]);
    expect(error.message).toMatch(/^Your schema for "order\.paid" rejects the data: data\.id: .+; data\.amount: .+/);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ reason: "invalid-data", mismatches: error.mismatches });
    const issues = [{ message: "wrong" }, ...[1, 2, 3].map((key) => ({ message: "wrong", path: [{ key }, "x"] }))];
    const many = await rejection(signed, { schemas: { "order.paid": schemaOf(() => ({ issues })) } });
    expect(many.message).toMatch(/: data: wrong; data\[1\]\.x: wrong; data\[2\]\.x: wrong; and 1 more$/);
  });

  it.each<[string, () => unknown]>([
    ["throws", () => Promise.reject(new RangeError("too deep"))],
    ["returns nothing", () => undefined],
    ["returns issues that are null", () => ({ issues: [null] })],
  ])("that %s gives an error with the cause", async (_, validate) => {
    const error = await rejection(signed, { schemas: { "order.paid": schemaOf(validate) } });
    expect(error).toMatchObject({ reason: "invalid-data", mismatches: [{ path: "data" }], cause: expect.any(Error) });
    expect(error.message).toMatch(/^Your schema for "order\.paid" rejects the data: data: the schema failed: /);
  });
});

it.each<[given: unknown, options: unknown, problem: string]>([
  [{ body: "" }, { secret }, "delivery.headers must be an object; received undefined"],
  [signed, { secret, tolerence: 1 }, 'unknown option "tolerence"; expected one of: '],
  [signed, { secret, versions: ["2024-10-01"] }, "versions must be an array of versions (YYYY-MM)"],
  [signed, { secret, schemas: { "order.payed": {} } }, 'unknown event type "order.payed"; expected one of: '],
  [signed, { secret, schemas: { "order.paid": {} } }, 'schemas["order.paid"] must implement Standard Schema; received'],
  [signed, {}, `secret must be the endpoint's secret; received undefined. ${unset}`],
])("an argument is checked: %j, %j", async (given, options, problem) => {
  const error = await verifyWebhook(given as never, options as never).catch((reason) => reason);
  expect(error).toBeInstanceOf(InvalidInputError);
  expect(error.message).toContain(`verifyWebhook: ${problem}`);
});
