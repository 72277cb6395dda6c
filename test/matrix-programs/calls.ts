import { isApiError } from "@billing-service/sdk";
import type { Mock } from "@billing-service/sdk/mock";
import { type ClientOptions, createClient } from "#current";

/** A server of the mock. */
export interface Target {
  readonly baseUrl: string;
  readonly accessToken: string;
}

/** Prepares a mock for the calls: products, and a failure that the client retries. */
export function arrange(mock: Mock): void {
  for (const name of ["Bread", "Rolls", "Cake"]) mock.products.create({ name });
  mock.fault({ operation: "products:list", status: 503, times: 1, retryAfter: 0 });
}

const MISSING = "4a7e3c52-8f1d-4b6a-9c0e-2d5b7f8a1e34";

/** Makes calls with a client: successful ones, one that is retried, a list, and two that fail. */
export async function call(options: ClientOptions) {
  const retried: string[] = [];
  const onRetry = ({ operation, error }: { operation: string; error: Error }) => {
    retried.push(`${operation} ${error.name}`);
  };
  const billing = createClient({ ...options, hooks: { onRetry } });
  const event = { name: "api.call", external_customer_id: "acme", metadata: { text: "Grüße, 日本" } };
  const { inserted } = await billing.events.ingest([event, { ...event, timestamp: new Date(0) }]);
  const pages: number[] = [];
  for await (const { items } of billing.products.list({ limit: 2 }).pages()) pages.push(Object(items).length);
  const missing = await billing.webhooks.getEndpoint(MISSING).catch((error: unknown) => error);
  const { error } = await billing.products.list({}, { accessToken: "wrong" }).safe();
  const notFound = isApiError(missing, 404) ? String(missing.message) : `not an ApiError: ${missing}`;
  return { inserted, retried, pages, notFound, unauthorized: error?.name === "ApiError" && error.status };
}
