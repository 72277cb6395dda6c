import * as z from "zod/mini";
import type { Schema } from "../../../src/contract/index.ts";

/** A product. The specification does not show its fields, so each is `unknown` (G-PRODUCTS). */
export interface Product {
  [field: string]: unknown;
}

/** Where a page stands in the whole list (G-PRODUCTS). */
export interface Pagination {
  /** How many items there are on all pages. */
  total_count: number;
  /** The number of the last page. */
  max_page: number;
}

export const PaginationSchema: Schema<Pagination> = z.object({ total_count: z.int(), max_page: z.int() });

/** One page of products (G-PRODUCTS). */
export interface ProductList {
  /** The products of this page. */
  items: Product[];
  /** Where the page stands in the whole list. */
  pagination: Pagination;
}

export const ProductListSchema: Schema<ProductList> = z.object({
  items: z.array(z.record(z.string(), z.unknown())),
  pagination: PaginationSchema,
});

/** Which page of the products to read (G-PRODUCTS). */
export interface ProductQuery {
  /** The page, from 1; 1 when omitted. */
  page?: number | undefined;
  /** How many products a page holds, from 1; more than 100 is cut to 100; 10 when omitted. */
  limit?: number | undefined;
}

export const ProductQuerySchema: Schema<ProductQuery> = z.object({
  page: z.exactOptional(z.int().check(z.minimum(1))),
  limit: z.exactOptional(z.int().check(z.minimum(1))),
});
