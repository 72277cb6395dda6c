import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { createMock, type WebhookHandler } from "../../mock/index.ts";
import { CURRENT } from "../support/versions.ts";
import { handler, originalSignature, type Received, receiver, receiving } from "./mocked.ts";

describe("a delivery", () => {
  it("DEL-7: is accepted by the Standard Webhooks library, and is logged as JSON with its response", async () => {
    const { url, received } = await receiver((response) => response.writeHead(202).end("thanks"));
    const { mock, endpoint } = receiving({ now: "2025-01-01T00:00:01.999Z" }, {});
    mock.webhookEndpoints.update(endpoint.id, { url });
    const [event] = mock.webhooks.emit("order.paid", { id: "ord_1", note: "größer €" });
    expect(event).toMatchObject({ status: "pending", attempts: 0, attempts_left: 10 });
    await mock.webhooks.idle();
    const [got] = received as [Received];
    const [delivery] = mock.webhooks.deliveries.list();
    expect(got).toMatchObject({ method: "POST", path: "/webhooks", body: event?.body, headers: delivery?.headers });
    expect(delivery).toEqual({
      id: `${event?.id}:1`,
      event_id: event?.id,
      endpoint_id: endpoint.id,
      type: "order.paid",
      url,
      attempt: 1,
      at: "2025-01-01T00:00:01.999000Z",
      status: "succeeded",
      headers: {
        "content-type": "application/json",
        "webhook-id": event?.id,
        "webhook-timestamp": "1735689601",
        "webhook-signature": new Webhook(endpoint.secret).sign(`${event?.id}`, new Date(1_735_689_601_000), got.body),
        "webhook-api-version": CURRENT,
      },
      body: event?.body,
      response_status: 202,
      response_body: "thanks",
      error: null,
      duration: expect.any(Number),
    });
    const settled = { status: "succeeded", delivered: true, attempts: 1, attempts_left: 0, next_attempt_at: null };
    expect(mock.webhooks.events.list()).toEqual([{ ...event, ...settled }]);
    expect(JSON.parse(JSON.stringify(delivery))).toEqual(delivery);
    expect(Object.isFrozen(delivery)).toBe(true);
  });

  it("DEL-8: is signed with the complete secret if the endpoint uses the original scheme", async () => {
    const { deliver, endpoint } = receiving({}, { uses_standard_webhook_signature: false });
    const got = await deliver({ id: "ord_1" });
    expect(got.headers["webhook-signature"]).toBe(originalSignature(got, endpoint.secret));
  });

  it("cannot be signed with a secret that is not base64, which no endpoint can have", () => {
    const { webhookEndpoints } = createMock();
    const create = () => webhookEndpoints.create({ secret: "whsec_not base64" });
    expect(create).toThrow("`secret` cannot sign deliveries. A secret of the Standard Webhooks scheme must be");
  });
});

describe("the endpoints that receive an event", () => {
  it("DEL-1: are the enabled ones of an organization, by default the default one, that list the type", () => {
    const mock = createMock();
    const other = mock.organizations.create();
    const theirs = mock.webhookEndpoints.create({ organization_id: other.id });
    const { id } = mock.webhookEndpoints.create({ events: ["order.paid"] });
    mock.webhookEndpoints.create({ events: ["order.created"] });
    mock.webhookEndpoints.create({ events: [] });
    mock.webhookEndpoints.create({ enabled: false });
    const receivers = (organization?: string | { id: string }) =>
      mock.webhooks.emit("order.paid", {}, { organization }).map((event) => event.endpoint_id);
    expect([receivers(), receivers(other), receivers(other.id)]).toEqual([[id], [theirs.id], [theirs.id]]);
    mock.reset();
  });

  it.each([
    ["order.unknown", {}, {}, "unknown event type"],
    [undefined, {}, {}, "the event type is missing"],
    ["order.paid", {}, { organization: "org" }, "unknown organization"],
    ["order.paid", undefined, {}, "`data` cannot be serialized as JSON: it must be a JSON value"],
    ["order.paid", "x".repeat(65_535), {}, "`data` must have at most 65536 characters as JSON"],
  ])("emit throws for %s with %.20s", (type, data, options, problem) => {
    const { mock } = receiving();
    expect(() => mock.webhooks.emit(type as never, data, options as object)).toThrow(`webhooks.emit: ${problem}`);
    expect(mock.webhooks.events.size).toBe(0);
  });
});

describe("the response to a delivery", () => {
  /** Returns the delivery of an event that is answered over HTTP. */
  async function answered(respond: Parameters<typeof receiver>[0]) {
    const { url, received } = await receiver(respond);
    const { mock, deliver } = receiving({}, { url: `${url}/unused` });
    mock.webhookEndpoints.create({ url });
    await deliver();
    expect(received).toHaveLength(1);
    return mock.webhooks.deliveries.list().find((each) => each.url === url);
  }

  const redirects = "Redirects are not followed; they count as failures.";

  it.each<[number, "succeeded" | "failed", string | null]>([
    ...[200, 201, 202, 204, 299].map((status) => [status, "succeeded", null] as never),
    ...[300, 301, 302, 307, 308].map((status) => [status, "failed", redirects] as never),
    ...[400, 401, 404, 410, 429, 500, 503].map((status) => [status, "failed", null] as never),
  ])("G-RETRY: with the status %i means that it %s: %s", async (response_status, status, error) => {
    const delivery = await answered((response) => response.writeHead(response_status, { location: "/other" }).end("x"));
    const response_body = response_status === 204 ? null : "x";
    expect(delivery).toMatchObject({ response_status, status, error, response_body });
  });

  it("is missing if the receiver resets the connection", async () => {
    const delivery = await answered((response) => response.socket?.resetAndDestroy());
    expect(delivery).toMatchObject({ status: "failed", response_status: null, response_body: null });
    expect(delivery?.error).toMatch(/^fetch failed: /);
    expect(delivery?.headers).toHaveProperty("webhook-signature");
  });

  it("is kept up to 2,000 characters", async () => {
    const delivery = await answered((response) => response.end("ä".repeat(10_000)));
    expect(delivery).toMatchObject({ status: "succeeded", response_body: "ä".repeat(2_000) });
  });

  it.each<[string, () => unknown, RegExp]>([
    ["throws", () => Promise.reject(new Error("out of order")), /^out of order$/],
    ["returns nothing", () => undefined, /^The handler must return a Response.*; received undefined\.$/],
  ])("is a failure if a function %s", async (_, answer, problem) => {
    const { mock, deliver } = receiving({}, { answer: answer as WebhookHandler });
    await deliver();
    const expected = { status: "failed", response_status: null, error: expect.stringMatching(problem) };
    expect(mock.webhooks.deliveries.list()).toMatchObject([expected]);
  });
});

describe("the hosts of deliveries", () => {
  // A label of more than 63 characters is invalid, so no name server is asked and none can be slow.
  const nowhere = `${"x".repeat(64)}.invalid`;

  const tried = ["localhost:9/hook", "127.8.9.10:9", "0x7f000001:9", "[::1]:9", nowhere];
  const blocked = ["hooks.example/billing", "192.168.0.1", "0.0.0.0", "127.0.0.1.example", `evil.${nowhere}`];

  it.each([
    ...tried.map((host) => [host, /^fetch failed: /] as const),
    ...blocked.map((host) => [host, /^Nothing was sent: the mock deli/] as const),
  ])("G-WHE-URL: are names of this machine, and those in deliverTo: %.30s: %s", async (host, error) => {
    const mock = createMock({ assumptions: { deliverTo: [nowhere.toUpperCase()] } });
    // `fetch` never connects to port 9.
    mock.webhookEndpoints.create({ url: `http://${host}` });
    mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    expect(mock.webhooks.deliveries.list()[0]?.error).toMatch(error);
    mock.reset();
  });

  it("G-WHE-URL, G-DISABLE: a blocked delivery fails with what to do, once, and does not disable the endpoint", async () => {
    const mock = createMock();
    const endpoint = mock.webhookEndpoints.create({ url: "https://hooks.example/billing" });
    for (let i = 0; i < 12; i++) mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    const deliveries = mock.webhooks.deliveries.list();
    expect(deliveries).toHaveLength(12);
    expect(deliveries[0]).toMatchObject({ attempt: 1, status: "failed", headers: {}, response_status: null });
    expect(deliveries[0]?.error).toContain(
      'assumption { "deliverTo": ["hooks.example"] } (billing mock: in the file of --assumptions)',
    );
    expect(mock.webhooks.events.list()[0]).toMatchObject({ status: "failed", attempts: 1, next_attempt_at: null });
    expect(mock.webhookEndpoints.get(endpoint.id)?.enabled).toBe(true);
  });
});

describe("a handler of receive", () => {
  it("G-WHE-URL: receives the request that a server would receive, for any host, however its URL is written", async () => {
    const assumptions = { endpointUrl: { credentials: "accept" } } as const;
    const { mock } = receiving({ assumptions }, { url: "https://us%C3%A9r:p%3Aw@HOOKS.example/billing?a=1" });
    const requests: Request[] = [];
    const handle = (request: Request) => {
      requests.push(request);
      return new Response("thanks");
    };
    mock.webhooks.receive("HTTPS://us%C3%A9r:p%3Aw@Hooks.Example:443/billing?a=1", handle);
    const [event] = mock.webhooks.emit("order.paid", { id: "ord_1" });
    await mock.webhooks.idle();
    expect(requests).toMatchObject([{ method: "POST", url: "https://hooks.example/billing?a=1" }]);
    expect(requests[0]?.headers.get("content-type")).toBe("application/json");
    const credentials = Buffer.from("usér:p:w").toString("base64");
    expect(requests[0]?.headers.get("authorization")).toBe(`Basic ${credentials}`);
    expect(await requests[0]?.text()).toBe(event?.body);
    expect(mock.webhooks.deliveries.list()[0]).toMatchObject({ status: "succeeded", response_body: "thanks" });
  });

  it("replaces a server and earlier handlers at its URL, until it is removed; reset keeps it", async () => {
    const { url, received } = await receiver();
    const { mock, deliver, received: unused } = receiving({}, { url });
    const [first, second] = [handler(), handler()];
    const endFirst = mock.webhooks.receive(url, first.handle);
    const end = mock.webhooks.receive(url, second.handle);
    endFirst();
    mock.reset();
    mock.webhookEndpoints.create({ url });
    await deliver();
    end();
    await deliver();
    expect([unused.length + first.received.length, second.received.length, received.length]).toEqual([0, 1, 1]);
  });

  it("throws for a URL that is not absolute, and for a handler that is not a function", () => {
    const { webhooks } = createMock();
    expect(() => webhooks.receive("/hook", () => new Response())).toThrow(
      new TypeError('webhooks.receive: `url` must be an absolute URL; received "/hook".'),
    );
    expect(() => webhooks.receive("http://localhost/", {} as never)).toThrow("`handler` must be a function.");
  });
});
