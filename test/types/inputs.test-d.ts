import { expectTypeOf, test } from "vitest";
import {
  type BillingClient,
  type Event,
  type IngestResponse,
  WEBHOOK_EVENT_TYPES,
  type WebhookEndpoint,
} from "../../versions/2025-01/index.ts";

declare const billing: BillingClient;
declare const maybe: string | undefined;

test("events may be readonly or literal, with a Date or a string as timestamp", () => {
  const literal = [
    {
      name: "api.call",
      customer_id: "c",
      timestamp: new Date(),
      metadata: { path: "/", size: 1, tags: ["a", { b: null }] },
    },
    { name: "api.call", external_customer_id: "acme", timestamp: "2025-01-01T00:00:00Z" },
  ] as const;
  expectTypeOf(billing.events.ingest(literal)).resolves.toEqualTypeOf<IngestResponse>();
  void billing.events.ingest(Object.freeze([...literal]));
  void billing.request("POST", "/v1/events/ingest", { body: { events: literal } });
});

test("an optional field of an event may be undefined", () => {
  const shared = {
    timestamp: maybe,
    organization_id: maybe,
    external_id: maybe,
    parent_id: maybe,
    metadata: undefined,
  };
  const events: Event[] = [
    { ...shared, name: "a", customer_id: "c", member_id: maybe, external_customer_id: undefined },
    { ...shared, name: "a", external_customer_id: "c", external_member_id: maybe, customer_id: undefined },
  ];
  void billing.events.ingest(events);
});

test("an event names exactly one customer", () => {
  // @ts-expect-error Both ids.
  void billing.events.ingest([{ name: "a", customer_id: "c", external_customer_id: "c" }]);
  // @ts-expect-error Neither id.
  void billing.events.ingest([{ name: "a" }]);
  // @ts-expect-error The id of the customer may be undefined.
  void billing.events.ingest([{ name: "a", customer_id: maybe }]);
  // @ts-expect-error A number is not a timestamp.
  void billing.events.ingest([{ name: "a", customer_id: "c", timestamp: 1_735_689_600 }]);
});

test("a webhook endpoint accepts readonly event types, and undefined for optional fields", () => {
  const create = { url: "https://shop.example", format: "raw", events: ["order.paid"], name: maybe } as const;
  void billing.webhooks.createEndpoint({ ...create, api_version: maybe, organization_id: maybe });
  void billing.webhooks.createEndpoint({ ...create, events: WEBHOOK_EVENT_TYPES });
  const all = { url: maybe, name: maybe, format: undefined, enabled: undefined, api_version: maybe };
  void billing.webhooks.updateEndpoint("id", { ...all, events: WEBHOOK_EVENT_TYPES });
  void billing.webhooks.updateEndpoint("id", { events: undefined });
});

test("a query accepts undefined for optional parameters", () => {
  void billing.products.list({ page: undefined, limit: undefined });
  void billing.oauth2.authorize({ client_id: maybe, scope: maybe, prompt: maybe, sub_type: undefined });
});

test("received data keeps its types", () => {
  expectTypeOf<WebhookEndpoint["created_at"]>().toEqualTypeOf<string>();
  expectTypeOf<IngestResponse>().toEqualTypeOf<{ inserted: number; duplicates: number }>();
});
