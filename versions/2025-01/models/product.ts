import * as z from "zod/mini";
import type { ZodSchema } from "../../../src/contract/index.ts";

/** A product. The specification does not show its fields, so each is `unknown` (G-PRODUCTS). */
export interface Product {
  [field: string]: unknown;
}

/**
 * One page of products. The specification does not show it, so each field is `unknown`, and a page of another form is
 * accepted as it is (G-AUT-OPEN). To get the products, iterate over the call.
 */
export interface ProductList {
  /** The products of this page. It is an assumption that it is an array of them (G-PRODUCTS). */
  items?: unknown;
  /** The position of this page. It is an assumption that it has `total_count` and `max_page` (G-PRODUCTS). */
  pagination?: unknown;
  [field: string]: unknown;
}

export const ProductListSchema: ZodSchema<ProductList> = z.union([
  z.looseObject({ items: z.exactOptional(z.unknown()), pagination: z.exactOptional(z.unknown()) }),
  z.array(z.unknown()) as ZodSchema as ZodSchema<ProductList>,
]);

/** Query parameters of the product list (G-PRODUCTS). */
export interface ProductQuery {
  /** The page number, at least 1. Defaults to 1. */
  page?: number | undefined;
  /** The number of products per page, at least 1. Values above 100 count as 100. Defaults to 10. */
  limit?: number | undefined;
}

export const ProductQuerySchema: ZodSchema<ProductQuery> = z.object({
  page: z.exactOptional(z.int().check(z.minimum(1))),
  limit: z.exactOptional(z.int().check(z.minimum(1))),
});
