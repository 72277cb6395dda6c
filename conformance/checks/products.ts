import { assumption, type Check, FEW, rule } from "../check.ts";
import { NotObservable } from "../outcome.ts";
import { ARRAY, INTEGER, mismatch, optional } from "../pattern.ts";
import { PRODUCTS, type Service } from "../service.ts";

/** Reads a page of products, and returns the number of products on it and of all. */
async function page(service: Service, query: string): Promise<readonly [items: number, all: number]> {
  const response = await service.send(PRODUCTS + query);
  if (response.status !== 200 || mismatch(response.body, { items: ARRAY, pagination: { total_count: INTEGER } }))
    throw new NotObservable(`${PRODUCTS}${query}: ${response.summary}, without items and total_count`);
  const { items, pagination } = response.body as { items: unknown[]; pagination: { total_count: number } };
  return [items.length, pagination.total_count];
}

/** Finds the number of products on a page. It shows only if there are more. */
function pageSize(name: string, byDefault: number, query: string): Check {
  return assumption("G-PRODUCTS", `products.${name}`, byDefault, {}, async (service) => {
    const [value, all] = await page(service, query);
    if (value >= all) throw new NotObservable(`needs an account with more than its ${value} products`);
    const [one] = await page(service, "?limit=1");
    if (value === 0 || (query !== "" && one !== 1)) throw new NotObservable("the service does not apply `limit`");
    return { value, evidence: `${value} of ${all} products` };
  });
}

/** Section 4.4: products. */
export const productChecks: readonly Check[] = [
  rule("PRD-1", FEW, (service) => service.expect(PRODUCTS, {}, { status: 200, body: { error: optional(null) } })),
  pageSize("defaultLimit", 10, ""),
  pageSize("maxLimit", 100, "?limit=1000000"),
];
