import { type AssumptionCheck, assumption, type Check, rule } from "../check.ts";
import { NotObservable } from "../outcome.ts";
import { mismatch, optional } from "../pattern.ts";
import { summaryOf } from "../service.ts";

const LIST = "GET /v1/products/";

/** Finds the number of products on a page, if there are more. */
function pageSize(line: string): AssumptionCheck["run"] {
  return async (service) => {
    const answer = await service.send(line);
    const page = { items: Array, pagination: { total_count: Number } };
    if (answer.status !== 200 || mismatch(answer.body, page))
      throw new NotObservable(`${line}: ${summaryOf(answer)}, without items and total_count`);
    const { items, pagination } = answer.body as { items: unknown[]; pagination: { total_count: number } };
    if (items.length >= pagination.total_count)
      throw new NotObservable(`needs an account with more than its ${items.length} products`);
    return { value: items.length, evidence: `${items.length} of ${pagination.total_count} products` };
  };
}

/** Section 4.4: products. */
export const productChecks: readonly Check[] = [
  rule("PRD-1", { requests: 1 }, (service) =>
    service.expect(LIST, {}, { status: 200, body: { error: optional(null) } }),
  ),
  assumption("G-PRODUCTS", "products.defaultLimit", 10, { requests: 1 }, pageSize(LIST)),
  assumption("G-PRODUCTS", "products.maxLimit", 100, { requests: 1 }, pageSize(`${LIST}?limit=1000000`)),
];
