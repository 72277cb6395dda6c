import type { StandardSchemaV1 } from "@standard-schema/spec";
import { expectTypeOf, test } from "vitest";
import * as z from "zod/mini";
import {
  type AnyWebhookEvent,
  createWebhookHandler,
  type KnownWebhookEvent,
  signWebhook,
  verifyWebhook,
  type WebhookEvent,
} from "#current/webhooks";
import { postgresSeenStore } from "../../src/usage/postgres.ts";

interface Order {
  id: string;
  amount: number;
}

const request = new Request("https://shop.example/webhooks", { method: "POST" });
const OrderSchema = z.object({ id: z.string(), amount: z.number() });
declare const ForeignSchema: StandardSchemaV1<string, Order>;

test("an event narrows by its type", async () => {
  const event = await verifyWebhook(request, { secret: process.env["WEBHOOK_SECRET"] });
  expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
  if (event.type === "order.paid") {
    expectTypeOf(event).toEqualTypeOf<KnownWebhookEvent<"order.paid">>();
    expectTypeOf(event.data).toEqualTypeOf<unknown>();
  }
});

test("a schema types the data of its event, and no other", async () => {
  const event = await verifyWebhook(request, {
    secret: ["one", undefined],
    schemas: { "order.paid": OrderSchema, "order.refunded": ForeignSchema },
  });
  if (event.type === "order.paid") expectTypeOf(event.data).toEqualTypeOf<Order>();
  if (event.type === "order.refunded") expectTypeOf(event.data).toEqualTypeOf<Order>();
  if (event.type === "order.created") expectTypeOf(event.data).toEqualTypeOf<unknown>();
});

test("the function of a handler gets the event of its type, and that of * any event", () => {
  const handle = createWebhookHandler({
    secret: "one",
    schemas: { "order.paid": OrderSchema },
    seen: postgresSeenStore({ query: async () => [] }),
    on: {
      "order.paid": async (event) => {
        expectTypeOf(event).toEqualTypeOf<KnownWebhookEvent<"order.paid", Order>>();
      },
      "order.created": ({ data }) => expectTypeOf(data).toEqualTypeOf<unknown>(),
      "*": (event) => {
        if (event.type === "order.paid") expectTypeOf(event.data).toEqualTypeOf<Order>();
        const text: string = event.type;
        return text;
      },
    },
  });
  // Next.js reads the parameter of a route from its last signature, and accepts only a `Request`.
  expectTypeOf<Parameters<typeof handle>>().toEqualTypeOf<[request: Request]>();
  expectTypeOf(handle).toExtend<(request: Request) => Promise<Response>>();
  void handle({ headers: {}, body: "" });
  // @ts-expect-error a type that the version does not have
  createWebhookHandler({ secret: "one", on: { "order.payed": () => 1 } });
  const onInvalidData = async (event: AnyWebhookEvent) => (event.rawBody === "" ? "keep" : "refuse");
  createWebhookHandler({ secret: "one", on: {}, onInvalidData, onHandled: (_, { duration }) => duration.toFixed() });
  // @ts-expect-error neither keep nor refuse
  createWebhookHandler({ secret: "one", on: {}, onInvalidData: () => "drop" });
});

test("rejects what is not raw, not a header or not a type", () => {
  // @ts-expect-error a parsed body
  void verifyWebhook({ body: { type: "order.paid" }, headers: {} }, { secret: "one" });
  // @ts-expect-error a number in a header
  void verifyWebhook({ body: "", headers: { "webhook-timestamp": 1 } }, { secret: "one" });
  // @ts-expect-error no secret
  void verifyWebhook(request, {});
  // @ts-expect-error a schema of a type that the version does not have
  void verifyWebhook(request, { secret: "one", schemas: { "order.payed": OrderSchema } });
  // @ts-expect-error no type
  void signWebhook({ data: {} }, { secret: "one" });
});
