import { expectTypeOf, test } from "vitest";
import * as current from "#current";
import type * as deprecated from "#deprecated";
import type * as next from "#next";
import { createEventBuffer, type EventBuffer } from "../../src/usage/index.ts";

/** A client of any version: it accepts only what the clients of all versions accept. */
declare const billing: deprecated.BillingClient | current.BillingClient | next.BillingClient;
declare const maybe: string | undefined;

test("events may be readonly or literal, with a Date or a string as timestamp", () => {
  const metadata = { path: "/", size: 1, tags: ["a", { b: null }] };
  const literal = [
    { name: "api.call", customer_id: "c", timestamp: new Date(), metadata },
    { name: "api.call", external_customer_id: "acme", timestamp: "2025-01-01T00:00:00Z" },
  ] as const;
  expectTypeOf(billing.events.ingest(literal)).resolves.toEqualTypeOf<current.IngestResponse>();
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
  const events: (deprecated.Event & current.Event & next.Event)[] = [
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

test("an input accepts readonly event types, and undefined for optional fields", () => {
  const create = { url: "https://shop.example", format: "raw", events: ["order.paid"], name: maybe } as const;
  void billing.webhooks.createEndpoint({ ...create, api_version: maybe, organization_id: maybe });
  void billing.webhooks.createEndpoint({ ...create, events: current.WEBHOOK_EVENT_TYPES });
  const all = { url: maybe, name: maybe, format: undefined, enabled: undefined, api_version: maybe };
  void billing.webhooks.updateEndpoint("id", { ...all, events: current.WEBHOOK_EVENT_TYPES });
  void billing.webhooks.updateEndpoint("id", { events: undefined });
  void billing.products.list({ page: undefined, limit: undefined });
});

/** A function of a user whose buffer sends the events of any version. */
function record(usage: EventBuffer<deprecated.Event | current.Event | next.Event>): Promise<void> {
  // @ts-expect-error A misspelled field.
  void usage.add({ name: "api.call", external_customer_id: "acme", external_Id: "call-1" });
  return usage.add({ name: "api.call", external_customer_id: "acme", metadata: { pages: 1 } });
}

test("EventBuffer checks the fields of its events, which its type argument names", () => {
  // @ts-expect-error Without a type argument, it could not check them.
  expectTypeOf<EventBuffer>();
  const use = (client: current.BillingClient) => record(createEventBuffer(client));
  expectTypeOf(use).returns.resolves.toBeVoid();
});
