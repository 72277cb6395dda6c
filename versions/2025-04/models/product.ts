import * as z from "zod/mini";
import type { ZodSchema } from "../../../src/contract/index.ts";

/** A product. The specification does not show its fields, so each is `unknown` (G-PRODUCTS). */
export interface Product {
  [field: string]: unknown;
}

/** The position of a page in the whole list (G-PRODUCTS). */
export interface Pagination {
  /** The number of items on all pages. */
  total_count: number;
  /** The number of the last page. */
  max_page: number;
}

export const PaginationSchema: ZodSchema<Pagination> = z.object({ total_count: z.int(), max_page: z.int() });

/** One page of products (G-PRODUCTS). */
export interface ProductList {
  /** The products of this page. */
  items: Product[];
  /** The position of this page in the whole list. */
  pagination: Pagination;
}

export const ProductListSchema: ZodSchema<ProductList> = z.object({
  items: z.array(z.record(z.string(), z.unknown())),
  pagination: PaginationSchema,
});

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
