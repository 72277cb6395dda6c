import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMock, defaultAssumptions, type Mock, type WebhookHandler } from "../../mock/index.ts";
import { receiver } from "./receiver.ts";
import { emitted } from "./timers.ts";

const { setImmediate: turn } = globalThis;
const HEADERS = "undici:request:headers";

/** Waits until the headers of an answer have come to this process, and whoever waited for them has gone on. */
function headersCame(): Promise<void> {
  return new Promise((resolve) => {
    const note = (): void => {
      unsubscribe(HEADERS, note);
      turn(resolve);
    };
    subscribe(HEADERS, note);
  });
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("an attempt fails", () => {
  const failed = async (mock: Mock, url: string) => {
    mock.webhookEndpoints.create({ url });
    mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    const [delivery] = mock.webhooks.deliveries.list();
    expect(delivery?.status).toBe("failed");
    expect(mock.webhooks.events.list()[0]?.status).toBe("pending");
    mock.reset();
    return delivery;
  };

  it.each([301, 302, 307, 308])("G-RETRY: on the redirect %i, which is not followed", async (status) => {
    const { url, received } = await receiver((response) => response.writeHead(status, { location: "/other" }).end());
    const delivery = await failed(createMock(), url);
    expect(delivery).toMatchObject({
      response_status: status,
      error: "A redirect is a failure: it is not followed.",
    });
    expect(received.map(({ path }) => path)).toEqual(["/webhooks"]);
  });

  it("on an answer without a status, as a browser gives where it may not read one", async () => {
    const mock = createMock();
    mock.webhooks.receive("https://shop.example/hooks", () => Response.error());
    const delivery = await failed(mock, "https://shop.example/hooks");
    expect(delivery).toMatchObject({ response_status: null, response_body: null });
  });

  it.each([400, 401, 404, 410, 429, 500, 503])("on the status %i", async (status) => {
    const { url } = await receiver((response) => response.writeHead(status).end("because"));
    const delivery = await failed(createMock(), url);
    expect(delivery).toMatchObject({ response_status: status, response_body: "because", error: null });
  });

  it.each([200, 201, 202, 204, 299])("not on the status %i", async (status) => {
    const mock = createMock();
    const { url } = await receiver((response) => response.writeHead(status).end());
    mock.webhookEndpoints.create({ url });
    mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    expect(mock.webhooks.deliveries.list()[0]).toMatchObject({ status: "succeeded", response_body: null });
  });

  it("when the receiver breaks the connection", async () => {
    const { url } = await receiver((response) => response.socket?.resetAndDestroy());
    const delivery = await failed(createMock(), url);
    expect(delivery).toMatchObject({ response_status: null, response_body: null });
    expect(delivery?.error).toMatch(/^fetch failed: /);
    expect(delivery?.headers).toHaveProperty("webhook-signature");
  });

  it("when nobody listens", async () => {
    const delivery = await failed(createMock(), "http://127.0.0.1:9/webhooks");
    expect(delivery?.error).toMatch(/^fetch failed: /);
  });

  it("when a handler throws, or forgets to return a Response", async () => {
    const mock = createMock();
    mock.webhooks.receive("https://app.example/throws", () => {
      throw new Error("out of order");
    });
    mock.webhooks.receive("https://app.example/forgets", (() => {}) as unknown as WebhookHandler);
    expect(await failed(mock, "https://app.example/throws")).toMatchObject({ error: "out of order" });
    expect(await failed(mock, "https://app.example/forgets")).toMatchObject({
      error: "The handler returned no Response.",
    });
  });

  it.each(["before the headers", "in the body"])("G-RETRY: when a receiver hangs %s for 10 s", async (where) => {
    const { url, got } = await receiver((response) => {
      if (where === "in the body") response.writeHead(200).write("beginning");
    });
    const mock = createMock();
    mock.webhookEndpoints.create({ url });
    const waits = where === "in the body" ? headersCame() : got(1);
    mock.webhooks.emit("order.paid", {});
    await waits;
    vi.advanceTimersByTime(9_999);
    expect(mock.webhooks.deliveries.size).toBe(0);
    vi.advanceTimersByTime(1);
    await mock.webhooks.idle();
    expect(mock.webhooks.deliveries.list()[0]).toMatchObject({
      status: "failed",
      response_status: where === "in the body" ? 200 : null,
      error: "The receiver did not finish its answer within 10000 ms.",
    });
    mock.reset();
  });

  it("G-RETRY: when a handler hangs, whose request is aborted then", async () => {
    let signal: AbortSignal | undefined;
    const { mock, got } = emitted((request) => {
      signal = request.signal;
      return new Promise(() => {});
    });
    await got(1);
    const { timeoutMs } = defaultAssumptions.retry;
    vi.advanceTimersByTime(timeoutMs - 1);
    expect(signal?.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    await mock.webhooks.idle();
    expect(signal?.aborted).toBe(true);
    expect(mock.webhooks.deliveries.list()[0]?.error).toMatch(/within 10000 ms/);
    mock.reset();
  });
});
