import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createGzip } from "node:zlib";
import { describe, expect, it } from "vitest";
import { isResponseTooLargeError } from "../../src/errors/index.ts";
import { failureOf, json, type Reply, serve, thing, thrownBy } from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

const MIB = 1024 * 1024;
const DEFAULT = 32 * MIB;
const HEADERS = { "content-type": "application/json", "service-version": "2020-01" };

/** Counts the bytes that a reply wrote, and resolves when its connection is closed. */
interface Sent {
  bytes: number;
  readonly closed: Promise<unknown>;
}

/** Writes spaces, which JSON allows, until the connection is closed. */
async function writeForever(to: NodeJS.WritableStream, response: ServerResponse, sent: Sent): Promise<void> {
  const chunk = Buffer.alloc(64 * 1024, " ");
  const gone = once(response, "close");
  while (!response.destroyed) {
    sent.bytes += chunk.length;
    if (!to.write(chunk)) await Promise.race([once(to, "drain"), gone]);
  }
}

function endless(status: number, encoding?: "gzip"): { readonly reply: Reply; readonly sent: Sent } {
  const { promise: closed, resolve } = Promise.withResolvers<unknown>();
  const sent: Sent = { bytes: 0, closed };
  const reply: Reply = (response) => {
    response.writeHead(status, { ...HEADERS, ...(encoding && { "content-encoding": encoding }) });
    response.on("close", resolve).on("error", () => {});
    const to = encoding ? createGzip() : response;
    if (to !== response) to.pipe(response);
    void writeForever(to, response, sent);
  };
  return { reply, sent };
}

describe("an endless response", () => {
  it.each([
    [200, undefined],
    [200, "gzip"],
    [404, undefined],
    [503, "gzip"],
  ] as const)("with status %i, encoded by %s, is read up to the limit, and once", async (status, encoding) => {
    const { reply, sent } = endless(status, encoding);
    const service = await serve(reply);
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, maxResponseBytes: MIB }).read("t1"));
    expect(isResponseTooLargeError(error)).toBe(true);
    expect(error).toMatchObject({ operation: "things:read", status, maxResponseBytes: MIB });
    expect(error.message).toBe(
      `things:read: the response body (${status}) is longer than ${MIB} bytes; raise maxResponseBytes to accept it`,
    );
    await sent.closed;
    expect(sent.bytes).toBeLessThan(64 * MIB);
    expect(service.seen).toHaveLength(1);
  });

  it("is read up to 32 MiB by default", async () => {
    let read = 0;
    let cancelled = false;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      read += MIB;
      controller.enqueue(new Uint8Array(MIB));
    };
    const cancel = (): void => {
      cancelled = true;
    };
    const fetch = async (): Promise<Response> =>
      new Response(new ReadableStream({ pull, cancel }), { headers: HEADERS });
    const error = await failureOf(tinyClient({ fetch }).read("t1"));
    expect(error).toMatchObject({ name: "ResponseTooLargeError", maxResponseBytes: DEFAULT });
    expect(read).toBeLessThanOrEqual(DEFAULT + 4 * MIB);
    expect(cancelled).toBe(true);
  });

  it("is not affected by onResponseMismatch", async () => {
    const service = await serve(json(200, { ...THING, id: "x".repeat(100) }));
    const options = { baseUrl: service.baseUrl, maxResponseBytes: 50, onResponseMismatch: "ignore" } as const;
    expect((await failureOf(tinyClient(options).read("t1"))).name).toBe("ResponseTooLargeError");
    expect(await tinyClient(options).request("GET", "/v1/x").safe()).toMatchObject({ ok: false });
  });
});

describe("maxResponseBytes", () => {
  const size = JSON.stringify(THING).length;

  it("counts bytes and accepts a body of exactly that length", async () => {
    const service = await serve(thing);
    const client = tinyClient({ baseUrl: service.baseUrl, maxResponseBytes: size });
    expect(await client.read("t1")).toEqual(THING);
    const error = await failureOf(client.read("t1", { maxResponseBytes: size - 1 }));
    expect(error.toJSON).toBeTypeOf("function");
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ status: 200, maxResponseBytes: size - 1 });
  });

  it("of a call overrides the client's", async () => {
    const service = await serve(thing);
    const client = tinyClient({ baseUrl: service.baseUrl, maxResponseBytes: 1 });
    expect(await client.read("t1", { maxResponseBytes: size })).toEqual(THING);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5"])("%s is rejected", async (maxResponseBytes) => {
    const says = "maxResponseBytes must be an integer from 1 to";
    expect(thrownBy(() => tinyClient({ maxResponseBytes: maxResponseBytes as never })).message).toContain(says);
    const call = tinyClient().read("t1", { maxResponseBytes: maxResponseBytes as never });
    expect((await failureOf(call)).message).toContain(says);
  });
});

describe("a body in several chunks", () => {
  it("is decoded as a whole, without its byte order mark", async () => {
    const bytes = new TextEncoder().encode(`\ufeff${JSON.stringify({ ...THING, id: "€ 用户" })}`);
    const service = await serve((response) => {
      response.writeHead(200, HEADERS);
      for (const byte of bytes) response.write(Uint8Array.of(byte));
      response.end();
    });
    expect(await tinyClient({ baseUrl: service.baseUrl }).read("t1")).toMatchObject({ id: "€ 用户" });
  });

  it("is read by text() when a custom Response has no stream", async () => {
    const answer = { status: 200, ok: true, headers: new Headers(HEADERS), text: async () => JSON.stringify(THING) };
    const fetch = async (): Promise<Response> => answer as Response;
    expect(await tinyClient({ fetch, accessToken: TOKEN }).read("t1")).toEqual(THING);
    const error = await failureOf(tinyClient({ fetch, maxResponseBytes: 10 }).read("t1"));
    expect(error.name).toBe("ResponseTooLargeError");
  });
});
