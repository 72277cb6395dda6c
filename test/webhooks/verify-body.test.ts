import { once } from "node:events";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { signWebhook, verifyWebhook } from "#current/webhooks";
import { delivery, order, rejection, secret } from "./signed.ts";

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

  it("was read before if its Request or its stream says so", async () => {
    const request = await delivery();
    await request.text();
    const locked = new Blob([text]).stream();
    locked.getReader();
    const read = Readable.from([text]);
    read.resume();
    await once(read, "end");
    for (const used of [request, { body: locked, headers }, { body: read, headers }]) {
      const { reason, message } = await rejection(used);
      expect(reason).toBe("body-consumed");
      expect(message).toContain("The body was already read. Usual cause: a body parser or request.json() ran first.");
    }
  });

  const PARSED = "Usual cause: a body parser or request.json() ran first.";
  const UNREADABLE = "The body could not be read; see `cause`.";
  const cut = new Error("cut");

  it.each<[string, string, unknown, unknown?]>([
    ["body-missing", "The body is undefined. Pass the raw body.", undefined],
    ["body-parsed", `The body must be raw; received object. ${PARSED}`, { type: "order.paid" }],
    ["body-too-large", "The body is longer than maxBodyBytes (1048576).", "x".repeat(1_048_577)],
    [
      "body-unreadable",
      UNREADABLE,
      Readable.from([{ type: "order.paid" }]),
      new TypeError("the body must consist of bytes; received object"),
    ],
    ["body-unreadable", UNREADABLE, new ReadableStream({ pull: (controller) => controller.error(cut) }), cut],
    ["signature-mismatch", "The signature does not match", "{\ud800}"],
    ["signature-mismatch", "The signature does not match", Buffer.from([0x7b, 0xff])],
    ["signature-mismatch", "The signature does not match", null],
  ])("is rejected as %s: %s", async (reason, problem, body, cause = expect.toSatisfy(() => true)) => {
    const error = await rejection({ body, headers });
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(problem);
    expect(error.cause).toEqual(cause);
  });

  it("may have at most maxBodyBytes bytes", async () => {
    const { body, headers } = await signWebhook({ ...order, data: "é" }, { secret });
    const bytes = Buffer.from(body);
    const bodies = [() => body, () => bytes, () => new Blob([bytes]).stream(), () => Readable.from([bytes])];
    for (const create of bodies) {
      const options = { secret, maxBodyBytes: bytes.length };
      expect(await verifyWebhook({ body: create(), headers }, options)).toMatchObject({ data: "é" });
      const error = await rejection({ body: create(), headers }, { maxBodyBytes: bytes.length - 1 });
      expect(error.reason).toBe("body-too-large");
    }
  });
});
