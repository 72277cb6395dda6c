import { once } from "node:events";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { signWebhook, verifyWebhook } from "../../versions/2025-01/webhooks.ts";
import { order, rejection, secret } from "./signed.ts";

const { body: text, headers } = await signWebhook(order, { secret });

describe("a body", () => {
  it.each(["string", "Buffer", "ArrayBuffer", "DataView", "ReadableStream", "Readable", "generator"])(
    "may be a %s",
    async (kind) => {
      const { body, headers } = await signWebhook({ ...order, data: "é".repeat(50_000) }, { secret });
      const bytes = Buffer.from(body);
      const parts = [bytes.subarray(0, 101), new Uint8Array(), bytes.subarray(101)];
      const bodies: Record<string, unknown> = {
        string: body,
        Buffer: bytes,
        ArrayBuffer: new Uint8Array(bytes).buffer,
        DataView: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        ReadableStream: new Blob(parts).stream(),
        Readable: Readable.from(parts),
        generator: (async function* () {
          yield body;
        })(),
      };
      const verified = await verifyWebhook({ body: bodies[kind] as string, headers }, { secret });
      expect(verified.data).toBe("é".repeat(50_000));
    },
  );

  it("was read before if a Request says so", async () => {
    const request = new Request("https://shop.example", { method: "POST", ...(await signWebhook(order, { secret })) });
    await request.text();
    const { reason, message } = await rejection(request);
    expect(reason).toBe("body-consumed");
    expect(message).toContain("The body was already read. Usual cause: a body parser ran first.");
  });

  it("was read before if its stream says so", async () => {
    const locked = new Blob([text]).stream();
    locked.getReader();
    const read = Readable.from([text]);
    read.resume();
    await once(read, "end");
    for (const used of [locked, read]) {
      expect((await rejection({ body: used, headers })).reason).toBe("body-consumed");
    }
  });

  it.each([
    [undefined, "body-missing", "The body is undefined; pass the raw body."],
    [
      { type: "order.paid" },
      "body-parsed",
      "The body must be raw; received object. Usual cause: a body parser ran first.",
    ],
    [[1], "body-parsed", "The body must be raw; received array."],
    [42, "body-parsed", "The body must be raw; received number."],
    [Buffer.from([0x7b, 0xff]), "body-unreadable", "The body could not be read as UTF-8; see `cause`."],
    ["{\ud800}", "signature-mismatch", "The signature does not match"],
    [Readable.from([{ type: "order.paid" }]), "body-unreadable", "The body could not be read as UTF-8; see `cause`."],
    [null, "signature-mismatch", "The signature does not match"],
  ])("is rejected if it is %o", async (body, reason, problem) => {
    const error = await rejection({ body: body as string, headers });
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(problem);
  });

  it("is rejected if its bytes were transferred to somewhere else", async () => {
    const buffer = new ArrayBuffer(8);
    const view = new Uint8Array(buffer);
    structuredClone(null, { transfer: [buffer] });
    for (const body of [buffer, view]) {
      expect((await rejection({ body, headers })).reason).toBe("body-unreadable");
    }
  });

  it("may arrive in chunks of one byte or of several types", async () => {
    const { body, headers } = await signWebhook({ ...order, data: "x".repeat(5_000) }, { secret });
    const chunks = (async function* () {
      yield body.slice(0, 2_000);
      yield new Uint8Array();
      for (const byte of Buffer.from(body.slice(2_000, 4_000))) yield Uint8Array.of(byte);
      yield new Uint8Array(Buffer.from(body.slice(4_000))).buffer as never;
    })();
    expect(await verifyWebhook({ body: chunks, headers }, { secret })).toMatchObject({ data: "x".repeat(5_000) });
  });

  it("is rejected if its stream fails, with the cause", async () => {
    const cause = new Error("cut");
    const web = new ReadableStream({ pull: (controller) => controller.error(cause) });
    const node = new Readable({ read: () => void node.destroy(cause) });
    for (const body of [web, node]) {
      const error = await rejection({ body, headers });
      expect(error).toMatchObject({ reason: "body-unreadable", cause });
    }
  });

  it.each([
    [1_048_576, "signature-mismatch"],
    [1_048_577, "body-too-large"],
  ])("may have 1 MiB by default: the reason for %i other bytes is %s", async (length, reason) => {
    const error = await rejection({ body: "x".repeat(length), headers });
    expect(error.reason).toBe(reason);
  });

  it("may have at most maxBodyBytes bytes", async () => {
    const { body, headers } = await signWebhook({ ...order, data: "é" }, { secret });
    const bytes = Buffer.from(body);
    const streams = () => [new Blob([bytes]).stream(), Readable.from([bytes.subarray(0, 9), bytes.subarray(9)])];
    for (const each of [body, bytes, ...streams()]) {
      const options = { secret, maxBodyBytes: bytes.length };
      expect(await verifyWebhook({ body: each, headers }, options)).toMatchObject({ data: "é" });
    }
    for (const each of [body, bytes, ...streams()]) {
      const error = await rejection({ body: each, headers }, { maxBodyBytes: bytes.length - 1 });
      expect(error.reason).toBe("body-too-large");
      expect(error.message).toBe(`The body is longer than maxBodyBytes (${bytes.length - 1}).`);
    }
  });

  it("has at most 1 MiB by default, and the rest of a stream is not read", async () => {
    let read = 0;
    const endless = (async function* () {
      for (;;) {
        read += 1;
        yield new Uint8Array(2 ** 16);
      }
    })();
    expect((await rejection({ body: endless, headers })).reason).toBe("body-too-large");
    expect(read).toBe(17);
  });
});
