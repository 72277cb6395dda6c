import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import { WEBHOOK_EVENT_TYPES } from "../../versions/2025-01/index.ts";
import { handler, json, originalSignature, type Received, receiver, receiving } from "./receiver.ts";

describe("a delivery over HTTP", () => {
  it("DEL-7: is accepted by the Standard Webhooks library", async () => {
    const mock = createMock();
    const { url, received } = await receiver();
    const { secret } = mock.webhookEndpoints.create({ url });
    const [event] = mock.webhooks.emit("order.paid", { id: "ord_1", note: "größer €" });
    await mock.webhooks.idle();
    const [got] = received as [Received];
    expect(new Webhook(secret).verify(got.body, got.headers)).toMatchObject({ type: "order.paid" });
    expect(got).toMatchObject({ method: "POST", path: "/webhooks", body: event?.body });
    expect(got.headers["webhook-id"]).toBe(event?.id);
    expect(got.headers["content-type"]).toBe("application/json");
    expect(() => new Webhook(secret).verify(`${got.body} `, got.headers)).toThrow("No matching signature");
  });

  it("DEL-8: is signed with the complete secret if the endpoint uses the original scheme", async () => {
    const mock = createMock();
    const { url, received } = await receiver();
    const { secret } = mock.webhookEndpoints.create({ url, uses_standard_webhook_signature: false });
    mock.webhooks.emit("order.paid", { id: "ord_1" });
    await mock.webhooks.idle();
    const [got] = received as [Received];
    expect(got.headers["webhook-signature"]).toBe(originalSignature(got, secret));
    expect(() => new Webhook(secret, { format: "raw" }).verify(got.body, got.headers)).not.toThrow();
    expect(got.headers["webhook-signature"]).not.toBe(originalSignature(got, secret.slice("whsec_".length)));
  });

  it("G-SIGN: has a timestamp in seconds, rounded down", async () => {
    const { headers } = await receiving({ now: "2025-01-01T00:00:01.999Z" }).deliver();
    expect(headers["webhook-timestamp"]).toBe("1735689601");
  });

  it("fails without sending anything if the secret is invalid, and does not reveal it", async () => {
    const mock = createMock();
    const { url, received } = await receiver();
    mock.webhookEndpoints.create({ url, secret: "whsec_not base64" });
    mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    expect(received).toEqual([]);
    const [delivery] = mock.webhooks.deliveries.list();
    expect(delivery).toMatchObject({ status: "failed", headers: {}, response_status: null });
    expect(delivery?.error).toMatch(/must be "whsec_" followed by base64/);
    expect(JSON.stringify(delivery)).not.toContain("not base64");
  });
});

describe("the endpoints that receive an event", () => {
  it("DEL-1: are the enabled ones that list the type", async () => {
    const mock = createMock();
    const { received, handle } = handler();
    mock.webhooks.receive("https://app.example/paid", handle);
    const paid = mock.webhookEndpoints.create({ url: "https://app.example/paid", events: ["order.paid"] });
    mock.webhookEndpoints.create({ url: "https://app.example/other", events: ["order.created"] });
    mock.webhookEndpoints.create({ url: "https://app.example/none", events: [] });
    mock.webhookEndpoints.create({ url: "https://app.example/off", enabled: false });
    const events = mock.webhooks.emit("order.paid", { id: "ord_1" });
    expect(events.map(({ endpoint_id }) => endpoint_id)).toEqual([paid.id]);
    await mock.webhooks.idle();
    expect(received.map(({ path }) => path)).toEqual(["/paid"]);
    mock.webhookEndpoints.update(paid.id, { enabled: false });
    expect(mock.webhooks.emit("order.paid", {})).toEqual([]);
    mock.webhookEndpoints.update(paid.id, { enabled: true });
    expect(mock.webhooks.emit("order.paid", {})).toHaveLength(1);
  });

  it("WHT-1: include an endpoint that lists every type, for every type", async () => {
    const { mock, received } = receiving({}, { events: [...WEBHOOK_EVENT_TYPES] });
    for (const type of WEBHOOK_EVENT_TYPES) mock.webhooks.emit(type, {});
    await mock.webhooks.idle();
    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(WEBHOOK_EVENT_TYPES);
  });

  it("DEL-1: are those of one organization, by default the default one", () => {
    const mock = createMock();
    const other = mock.organizations.create();
    const ours = mock.webhookEndpoints.create();
    const theirs = mock.webhookEndpoints.create({ organization_id: other.id });
    const receivers = (organization?: string | { id: string }) =>
      mock.webhooks.emit("order.paid", {}, organization ? { organization } : {}).map((event) => event.endpoint_id);
    expect(receivers()).toEqual([ours.id]);
    expect(receivers(other)).toEqual([theirs.id]);
    expect(receivers(other.id)).toEqual([theirs.id]);
  });

  it("DEL-3, DEL-4: receive their version in a header, and in the body of the raw format", async () => {
    const mock = createMock();
    const { received, handle } = handler();
    const url = "https://app.example/hook";
    mock.webhooks.receive(url, handle);
    const { deprecated, current, next } = mock.versions;
    mock.webhookEndpoints.create({ url, api_version: deprecated });
    mock.webhookEndpoints.create({ url, api_version: next });
    mock.webhookEndpoints.create({ url, api_version: current, format: "slack" });
    mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    const versions = received.map((got) => [got.headers["webhook-api-version"], json(got)["api_version"]]);
    expect(versions.sort()).toEqual([
      [deprecated, deprecated],
      [current, undefined],
      [next, next],
    ]);
  });

  it("DEL-9: do not receive ingested usage events", async () => {
    const { mock, received } = receiving();
    const events = [{ name: "order.paid", external_customer_id: "customer" }];
    const response = await mock.fetch(`${mock.baseUrls[0]}/v1/events/ingest`, {
      method: "POST",
      headers: { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json" },
      body: JSON.stringify({ events }),
    });
    expect(await response.json()).toEqual({ inserted: 1, duplicates: 0 });
    await mock.webhooks.idle();
    expect(mock.events.size).toBe(1);
    expect(mock.webhooks.events.size).toBe(0);
    expect(mock.webhooks.deliveries.size).toBe(0);
    expect(received).toEqual([]);
  });

  it.each([
    ["order.unknown", {}, {}, /^webhooks\.emit: unknown event type "order\.unknown"/],
    ["constructor", {}, {}, /^webhooks\.emit: unknown event type "constructor"/],
    ["order.paid", {}, { organization: "org" }, /^webhooks\.emit: unknown organization "org"\.$/],
    ["order.paid", undefined, {}, /^webhooks\.emit: `data` must be a JSON value; received undefined\.$/],
    ["order.paid", () => 1, {}, /^webhooks\.emit: `data` must be a JSON value; received function\.$/],
  ])("emit throws for %j with %j and %j", (type, data, options, message) => {
    const mock = createMock();
    mock.webhookEndpoints.create();
    expect(() => mock.webhooks.emit(type, data, options)).toThrow(message);
    expect(mock.webhooks.events.size).toBe(0);
  });
});
