import * as z from "zod/mini";
import { sendPages } from "../../src/client/pages.ts";
import type { CallOptions, OperationError, PagedCall, PagedOperation, Send } from "../../src/contract.ts";
import { type ScopedFailures, scopedFailures } from "./errors.ts";

/** A product. The specification does not show its fields, so each is `unknown`. */
export interface Product {
  [field: string]: unknown;
}

/**
 * One page of products. The specification does not show it, so each field is `unknown`, and a page of another form is
 * accepted as it is. To get the products, iterate over the call.
 */
export interface ProductList {
  /** The products of this page. It is an assumption that it is an array of them. */
  items?: unknown;
  /** The position of this page. It is an assumption that it has `total_count` and `max_page`. */
  pagination?: unknown;
  [field: string]: unknown;
}

export const ProductListSchema: z.ZodMiniType<ProductList> = z.union([
  z.looseObject({ items: z.exactOptional(z.unknown()), pagination: z.exactOptional(z.unknown()) }),
  z.array(z.unknown()) as z.ZodMiniType as z.ZodMiniType<ProductList>,
]);

/** Query parameters of the product list. They are an assumption. */
export interface ProductQuery {
  /** The page number, at least 1. Defaults to 1. */
  page?: number | undefined;
  /** The number of products per page, at least 1. Values above 100 count as 100. Defaults to 10. */
  limit?: number | undefined;
}

export const ProductQuerySchema = z.object({
  page: z.exactOptional(z.int().check(z.minimum(1))),
  limit: z.exactOptional(z.int().check(z.minimum(1))),
});

export const listProducts: PagedOperation<{
  query: ProductQuery;
  data: ProductList;
  item: Product;
  failures: ScopedFailures;
}> = {
  id: "products:list",
  method: "GET",
  path: "/v1/products/",
  summary: "List products.",
  assumption: "G-PRODUCTS",
  security: { schemes: ["oidc", "pat", "oat"], scopes: ["products:read", "products:write"] },
  request: { query: ProductQuerySchema },
  response: { status: 200, body: ProductListSchema },
  failures: scopedFailures,
  pagination: { page: "page", items: ["items"], lastPage: ["pagination", "max_page"] },
  idempotent: () => true,
};

/** Calls the operations on products. */
export interface Products {
  /**
   * Lists products. Await the call for one page, or iterate over it for every product from that page on. Requires the
   * scope `products:read` or `products:write`. It is retried after temporary failures.
   *
   * @beta The specification names this operation, its method and path. The scopes, parameters and responses are assumed.
   * @remarks Assumptions: G-PRODUCTS and G-AUT-OPEN. docs/rules.md lists them.
   * @throws {@link ApiError} with status 422 when `page` or `limit` is not an integer of at least 1.
   * @example
   * ```ts
   * const page = await billing.products.list({ limit: 10 });
   * ```
   */
  list(query?: ProductQuery, options?: CallOptions): PagedCall<ProductList, Product, OperationError<ScopedFailures>>;
}

/** Binds the operations to a client's `send`. */
export function products(send: Send): Products {
  return {
    list: (query = {}, options) => sendPages(send, listProducts, query, options),
  };
}
