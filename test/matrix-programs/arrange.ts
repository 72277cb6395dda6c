import type { Mock } from "@billing-service/sdk/mock";

/** Prepares a mock for the calls: products, and a failure that the client retries. */
export function arrange(mock: Mock): void {
  for (const name of ["Bread", "Rolls", "Cake"]) mock.products.create({ name });
  mock.fault({ operation: "products:list", status: 503, times: 1, retryAfter: 0 });
}
