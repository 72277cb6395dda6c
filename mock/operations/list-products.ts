import { type OperationHandler, organizationsOf } from "./operation.ts";

/** GET /v1/products/ (specification, section 4.4; G-PRODUCTS). */
export const listProducts: OperationHandler = {
  handle: ({ state, credential }, { query }) => {
    const { page = 1, limit: asked = 10 } = query as { readonly page?: number; readonly limit?: number };
    const limit = Math.min(asked, 100);
    const accessible = organizationsOf(credential, state);
    const products = state.tables.products.list().filter((product) => accessible.includes(product.organization_id));
    return {
      data: {
        items: products.slice((page - 1) * limit, page * limit),
        pagination: { total_count: products.length, max_page: Math.ceil(products.length / limit) },
      },
    };
  },
};
