import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMock, defaultAssumptions, type Mock, type WebhookHandler } from "../../mock/index.ts";
import { receiver } from "./receiver.ts";
import { emitted } from "./timers.ts";

const { setImmediate: turn } = globalThis;
const HEADERS = "undici:request:headers";

/** Waits until the headers of a response have arrived and the code that waited for them has continued. */
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

describe("an attempt", () => {
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

  it.each([300, 301, 302, 307, 308])("G-RETRY: fails on the redirect %i without following it", async (status) => {
    const { url, received } = await receiver((response) => response.writeHead(status, { location: "/other" }).end());
    const delivery = await failed(createMock(), url);
    expect(delivery).toMatchObject({
      response_status: status,
      error: "Redirects are not followed; they count as failures.",
    });
    expect(received.map(({ path }) => path)).toEqual(["/webhooks"]);
  });

  it("fails on a response without a status, such as an opaque one in a browser", async () => {
    const mock = createMock();
    mock.webhooks.receive("https://shop.example/hooks", () => Response.error());
    const delivery = await failed(mock, "https://shop.example/hooks");
    expect(delivery).toMatchObject({ response_status: null, response_body: null });
  });

  it.each([400, 401, 404, 410, 429, 500, 503])("fails on the status %i", async (status) => {
    const { url } = await receiver((response) => response.writeHead(status).end("because"));
    const delivery = await failed(createMock(), url);
    expect(delivery).toMatchObject({ response_status: status, response_body: "because", error: null });
  });

  it.each([200, 201, 202, 204, 299])("succeeds on the status %i", async (status) => {
    const mock = createMock();
    const { url } = await receiver((response) => response.writeHead(status).end());
    mock.webhookEndpoints.create({ url });
    mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    expect(mock.webhooks.deliveries.list()[0]).toMatchObject({ status: "succeeded", response_body: null });
  });

  it("fails when the receiver resets the connection", async () => {
    const { url } = await receiver((response) => response.socket?.resetAndDestroy());
    const delivery = await failed(createMock(), url);
    expect(delivery).toMatchObject({ response_status: null, response_body: null });
    expect(delivery?.error).toMatch(/^fetch failed: /);
    expect(delivery?.headers).toHaveProperty("webhook-signature");
  });

  it("fails when no server listens", async () => {
    const delivery = await failed(createMock(), "http://127.0.0.1:9/webhooks");
    expect(delivery?.error).toMatch(/^fetch failed: /);
  });

  it("fails when a handler throws or does not return a Response", async () => {
    const mock = createMock();
    mock.webhooks.receive("https://app.example/throws", () => {
      throw new Error("out of order");
    });
    mock.webhooks.receive("https://app.example/forgets", (() => {}) as unknown as WebhookHandler);
    mock.webhooks.receive("https://app.example/words", (() => ({ status: "x" })) as unknown as WebhookHandler);
    expect(await failed(mock, "https://app.example/words")).toMatchObject({
      response_status: null,
      error: "The handler did not return a Response.",
    });
    expect(await failed(mock, "https://app.example/throws")).toMatchObject({ error: "out of order" });
    expect(await failed(mock, "https://app.example/forgets")).toMatchObject({
      error: "The handler did not return a Response.",
    });
  });

  it.each(["before the headers", "in the body"])("G-RETRY: fails when a receiver hangs %s for 10 s", async (where) => {
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
      error: "The receiver did not finish its response within 10000 ms.",
    });
    mock.reset();
  });

  it("G-RETRY: fails and aborts its request when a handler hangs", async () => {
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
