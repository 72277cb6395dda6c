// A program that only has to compile: it uses the types of every entry point that needs no other package.
import { type ReleaseDates, releaseDates } from "@billing-service/sdk";
import { createMock, type Mock, strict } from "@billing-service/sdk/mock";
import { connectMock } from "@billing-service/sdk/mock/connect";
import { type MockServer, startServer } from "@billing-service/sdk/mock/server";
import { createEventBuffer, memoryOutbox, type Outbox } from "@billing-service/sdk/usage";
import { sqliteOutbox } from "@billing-service/sdk/usage/sqlite";
import { type BillingClient, createClient, type Product } from "#current";
import { createWebhookHandler, type KnownWebhookEvent, toNodeListener } from "#current/webhooks";
import type * as deprecated from "#deprecated";
import type * as next from "#next";

/** Fails to compile unless both types are the same; `any` is only the same as `any`. */
function same<A, B>(_equal: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false): void {}

export async function useClient(token: string | undefined, timeout: number | undefined): Promise<void> {
  const billing = createClient({ accessToken: token, timeout, fetch: createMock().fetch });
  same<typeof billing, BillingClient>(true);
  for await (const product of billing.products.list({ limit: undefined })) same<typeof product, Product>(true);
  const { inserted } = await billing.events.ingest([{ name: "a", external_customer_id: "b", timestamp: new Date() }]);
  same<typeof inserted, number>(true);
  const result = await billing.webhooks.getEndpoint("id").safe();
  if (!result.ok && result.error.name === "ApiError" && result.error.status === 404) {
    same<typeof result.error.status, 404>(true);
  }
  // @ts-expect-error A misspelled option.
  createClient({ accessToken: token, enviroment: "sandbox" });
}

export function useVersions(older: deprecated.BillingClient, newer: next.BillingClient): ReleaseDates {
  same<typeof older.version, typeof newer.version>(false);
  return releaseDates(older.version);
}

const take = (event: KnownWebhookEvent<"order.paid">) => void same<typeof event.type, "order.paid">(true);

export const listener = toNodeListener(createWebhookHandler({ secret: "whsec_one", on: { "order.paid": take } }));

export async function useMock(mock: Mock): Promise<MockServer> {
  same<(typeof mock)["events"]["size"], number>(true);
  // @ts-expect-error A misspelled assumption.
  createMock({ assumptions: { ...strict, maxBachSize: 1 } });
  const event = await connectMock("http://127.0.0.1:4010").events.get("id");
  same<typeof event, ReturnType<Mock["events"]["get"]>>(true);
  return startServer({ port: undefined });
}

export async function useBuffer(billing: BillingClient): Promise<Outbox> {
  await using usage = createEventBuffer(billing, { outbox: sqliteOutbox("usage.db") });
  // @ts-expect-error A missing customer.
  await usage.add({ name: "a" });
  return memoryOutbox();
}
