import type { Call, CallOptions, OperationError, Send } from "../../../src/client/index.ts";
import type { Operation } from "../../../src/contract/index.ts";
import { type HTTPValidationError, HTTPValidationErrorSchema } from "../models/error.ts";
import { type ProductList, ProductListSchema, type ProductQuery, ProductQuerySchema } from "../models/product.ts";
import { type ScopedFailures, scopedFailures } from "./failures.ts";

/** The declared failures of listing products. */
export interface ListProductsFailures extends ScopedFailures {
  422: HTTPValidationError;
}

/** What listing products can fail with. */
export type ListProductsError = OperationError<ListProductsFailures>;

interface ListProducts {
  path: undefined;
  query: ProductQuery;
  body: undefined;
  data: ProductList;
  failures: ListProductsFailures;
}

export const listProducts: Operation<ListProducts> = {
  id: "products:list",
  method: "GET",
  path: "/v1/products/",
  summary: "List products.",
  gap: "G-PRODUCTS",
  security: { schemes: ["oidc", "pat", "oat"], scopes: ["products:read", "products:write"] },
  request: { query: ProductQuerySchema },
  response: { status: 200, body: ProductListSchema },
  failures: { ...scopedFailures, 422: HTTPValidationErrorSchema },
  repeatable: () => true,
};

/** What the organization sells. */
export interface Products {
  /**
   * Reads one page of the products. It needs the scope `products:read` or `products:write`, and is retried.
   *
   * @beta The specification names this operation without showing its parameters and response: they are the assumption
   * G-PRODUCTS.
   * @throws {@link ApiError} with status 422 when `page` or `limit` is no whole number from 1.
   */
  list(query?: ProductQuery, options?: CallOptions): Call<ProductList, ListProductsError>;
}

/** Binds the operations to a client. */
export function products(send: Send): Products {
  return {
    list: (query = {}, options) => send(listProducts, { query }, options),
  };
}
