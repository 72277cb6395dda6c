import {
  type CallOptions,
  type OperationError,
  type PagedCall,
  type Send,
  sendPages,
} from "../../../src/client/index.ts";
import type { PagedOperation } from "../../../src/contract/index.ts";
import { type HTTPValidationError, HTTPValidationErrorSchema } from "../models/error.ts";
import {
  type Product,
  type ProductList,
  ProductListSchema,
  type ProductQuery,
  ProductQuerySchema,
} from "../models/product.ts";
import { type ScopedFailures, scopedFailures } from "./failures.ts";

/** The error bodies that `products.list` declares, by status. */
export interface ListProductsFailures extends ScopedFailures {
  422: HTTPValidationError;
}

/** The errors of `products.list`. */
export type ListProductsError = OperationError<ListProductsFailures>;

interface ListProducts {
  query: ProductQuery;
  data: ProductList;
  item: Product;
  failures: ListProductsFailures;
}

export const listProducts: PagedOperation<ListProducts> = {
  id: "products:list",
  method: "GET",
  path: "/v1/products/",
  summary: "List products.",
  gap: "G-PRODUCTS",
  security: { schemes: ["oidc", "pat", "oat"], scopes: ["products:read", "products:write"] },
  request: { query: ProductQuerySchema },
  response: { status: 200, body: ProductListSchema },
  failures: { ...scopedFailures, 422: HTTPValidationErrorSchema },
  pagination: { page: "page", items: ["items"], lastPage: ["pagination", "max_page"] },
  repeatable: () => true,
};

/** Calls the operations on products. */
export interface Products {
  /**
   * Lists products. Await the call for one page, or iterate over it for every product from that page on. Requires the
   * scope `products:read` or `products:write`. It is retried.
   *
   * @beta The specification names this operation, its method and path. The scopes, parameters and responses are an
   * assumption (G-PRODUCTS).
   * @throws {@link ApiError} with status 422 when `page` or `limit` is not an integer of at least 1.
   */
  list(query?: ProductQuery, options?: CallOptions): PagedCall<ProductList, Product, ListProductsError>;
}

/** Binds the operations to a client's `send`. */
export function products(send: Send): Products {
  return {
    list: (query = {}, options) => sendPages(send, listProducts, query, options),
  };
}
