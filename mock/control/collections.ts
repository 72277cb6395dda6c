/** The collections that a test can write to: the path of each, and the noun for one of its records. */
export const collections = {
  organizations: { path: "/organizations", noun: "organization" },
  users: { path: "/users", noun: "user" },
  customers: { path: "/customers", noun: "customer" },
  oauthClients: { path: "/oauth-clients", noun: "OAuth client" },
  products: { path: "/products", noun: "product" },
  webhookEndpoints: { path: "/webhook-endpoints", noun: "webhook endpoint" },
} as const;

/** The name of a collection that a test can write to. */
export type CollectionName = keyof typeof collections;
