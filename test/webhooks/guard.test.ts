import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import { blockedReason } from "../../mock/webhooks/send.ts";
import { handler, receiver } from "./receiver.ts";

const { assumptions } = createMock();

describe("the hosts of deliveries (G-WHE-URL)", () => {
  it.each([
    "http://localhost:3000/hook",
    "https://LOCALHOST/hook",
    "http://app.localhost:3000/hook",
    "http://127.0.0.1/",
    "http://127.8.9.10:8080/",
    "http://127.1/",
    "http://0x7f000001/",
    "http://[::1]:3000/",
    "http://[0:0:0:0:0:0:0:1]/",
  ])("G-WHE-URL: allows this machine: %s", (url) => {
    expect(blockedReason(url, assumptions)).toBeUndefined();
  });

  it.each([
    "https://hooks.example/billing",
    "http://10.0.0.1/",
    "http://192.168.0.1/",
    "http://169.254.169.254/latest/meta-data",
    "http://0.0.0.0/",
    "http://128.0.0.1/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[fe80::1]/",
    "http://localhost.example/",
    "http://127.0.0.1.example/",
    "http://localhost./",
    "http://xlocalhost/",
    "http://user@hooks.example/#localhost",
    "http://localhost@hooks.example/",
  ])("G-WHE-URL: blocks other hosts: %s", (url) => {
    expect(blockedReason(url, assumptions)).toMatch(/^Nothing was sent: the mock delivers only to this machine, and /);
  });

  it.each(["/hook", "", "file:///etc/passwd", "data:,x", "ftp://localhost/"])("blocks %j", (url) => {
    expect(blockedReason(url, assumptions)).toMatch(/^Nothing was sent: /);
  });

  it("G-WHE-URL, G-DISABLE: records a blocked delivery as failed with the reason, and does not retry it", async () => {
    const mock = createMock();
    const endpoint = mock.webhookEndpoints.create({ url: "https://hooks.example/billing" });
    for (let i = 0; i < 12; i++) mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    const deliveries = mock.webhooks.deliveries.list();
    expect(deliveries).toHaveLength(12);
    expect(deliveries[0]).toMatchObject({ attempt: 1, status: "failed", headers: {}, response_status: null });
    expect(deliveries[0]?.error).toContain('--assumptions): { "deliverTo": ["hooks.example"] }');
    expect(mock.webhooks.events.list()[0]).toMatchObject({ status: "failed", attempts: 1, next_attempt_at: null });
    // A blocked delivery does not count against the receiver.
    expect(mock.webhookEndpoints.get(endpoint.id)?.enabled).toBe(true);
  });

  it("G-WHE-URL: allows a host of deliverTo, and no others", async () => {
    const deliverTo = ["Hooks.Example", "169.254.1.1"];
    const allowing = { ...assumptions, deliverTo };
    expect(blockedReason("https://hooks.example:8443/billing", allowing)).toBeUndefined();
    expect(blockedReason("http://169.254.1.1/", allowing)).toBeUndefined();
    expect(blockedReason("https://evil.hooks.example/", allowing)).toBeDefined();
    expect(blockedReason("https://example/", allowing)).toBeDefined();

    const { url, received } = await receiver();
    // A label of more than 63 characters is invalid, so no name server is asked and none can be slow.
    const nowhere = `${"x".repeat(64)}.invalid`;
    const mock = createMock({ assumptions: { deliverTo: [nowhere] } });
    mock.webhookEndpoints.create({ url: url.replace("127.0.0.1", nowhere) });
    mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    expect(mock.webhooks.deliveries.list()[0]?.error).toMatch(/^fetch failed: .*x\.invalid/);
    expect(received).toEqual([]);
    mock.reset();
  });
});

describe("a handler of receive", () => {
  it("G-WHE-URL: receives the request that a server would receive, for any host", async () => {
    const mock = createMock();
    const { url } = mock.webhookEndpoints.create({ url: "https://hooks.example/billing?a=1" });
    const requests: Request[] = [];
    mock.webhooks.receive(url, (request) => {
      requests.push(request);
      return new Response("thanks");
    });
    const [event] = mock.webhooks.emit("order.paid", { id: "ord_1" });
    await mock.webhooks.idle();
    const [request] = requests;
    expect(request).toMatchObject({ method: "POST", url });
    expect(request?.headers.get("content-type")).toBe("application/json");
    expect(await request?.text()).toBe(event?.body);
    expect(mock.webhooks.deliveries.list()[0]).toMatchObject({ status: "succeeded", response_body: "thanks" });
  });

  it("receives deliveries to the same URL, however it is written", async () => {
    const mock = createMock();
    const { received, handle } = handler();
    mock.webhooks.receive("HTTPS://Hooks.Example:443/billing", handle);
    mock.webhookEndpoints.create({ url: "https://HOOKS.example/billing" });
    mock.webhookEndpoints.create({ url: "https://hooks.example/billing/" });
    mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    expect(received).toHaveLength(1);
  });

  it("replaces a server and earlier handlers at its URL, until it is removed", async () => {
    const mock = createMock();
    const { url, received } = await receiver();
    mock.webhookEndpoints.create({ url });
    const first = handler();
    const second = handler();
    const endFirst = mock.webhooks.receive(url, first.handle);
    const endSecond = mock.webhooks.receive(url, second.handle);
    endFirst();
    mock.reset();
    mock.webhookEndpoints.create({ url });
    mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    endSecond();
    mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    expect([first.received.length, second.received.length, received.length]).toEqual([0, 1, 1]);
  });

  it("throws for a URL that is not absolute, and for a handler that is not a function", () => {
    const { webhooks } = createMock();
    expect(() => webhooks.receive("/hook", () => new Response())).toThrow(
      new TypeError('webhooks.receive: `url` must be an absolute URL; received "/hook".'),
    );
    expect(() => webhooks.receive("http://localhost/", {} as never)).toThrow(
      "webhooks.receive: `handler` must be a function.",
    );
  });
});
