import type { BillingClient } from "@billing-service/sdk/2025-01";

/** Reports the API calls of a customer. Calls that were reported before are not counted again. */
export async function reportCalls(billing: BillingClient, customer: string, ids: readonly string[]): Promise<number> {
  const events = ids.map((id) => ({ name: "api.call", external_customer_id: customer, external_id: id }));
  const { inserted } = await billing.events.ingest(events);
  return inserted;
}
