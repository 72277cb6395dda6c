import { expectTypeOf, test } from "vitest";
import { createEventBuffer, type EventBuffer } from "../../src/usage/index.ts";
import type * as deprecated from "../../versions/2024-10/index.ts";
import type * as current from "../../versions/2025-01/index.ts";
import type * as next from "../../versions/2025-04/index.ts";

declare const event: deprecated.Event | current.Event | next.Event;

/** A function of a user that receives a buffer of any version. */
function record(usage: EventBuffer): Promise<void> {
  void usage.add(event);
  return usage.add({ name: "api.call", external_customer_id: "acme", metadata: { pages: 1 } });
}

test("EventBuffer without type arguments is the buffer of any version, and accepts its events", () => {
  expectTypeOf<EventBuffer<deprecated.Event>>().toExtend<EventBuffer>();
  expectTypeOf<EventBuffer<current.Event>>().toExtend<EventBuffer>();
  expectTypeOf<EventBuffer<next.Event>>().toExtend<EventBuffer>();
  const use = (billing: current.BillingClient) => record(createEventBuffer(billing));
  expectTypeOf(use).returns.resolves.toBeVoid();
});

test("EventBuffer rejects events without a name", () => {
  const use = (usage: EventBuffer) =>
    // @ts-expect-error `name` is missing
    usage.add({ external_customer_id: "acme" });
  expectTypeOf(use).returns.resolves.toBeVoid();
});
