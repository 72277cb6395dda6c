/** The collections that a test can write to: the path of each, the noun for one of its records, and an example of one. */
export const collections = {
  organizations: { path: "/organizations", noun: "organization", example: { name: "Acme" } },
  users: { path: "/users", noun: "user", example: { email: "ada@acme.example" } },
  customers: { path: "/customers", noun: "customer", example: { name: "Acme", email: "ada@acme.example" } },
  oauthClients: { path: "/oauth-clients", noun: "OAuth client", example: { client_name: "Dashboard" } },
  products: { path: "/products", noun: "product", example: { name: "Starter" } },
  webhookEndpoints: {
    path: "/webhook-endpoints",
    noun: "webhook endpoint",
    example: { url: "http://localhost:3000/webhooks", events: ["order.paid"] },
  },
} as const;

/** The name of a collection that a test can write to. */
export type CollectionName = keyof typeof collections;
