import type { Environment } from "./options.ts";

/**
 * The base address of each environment. The specification gives placeholders, so these are an assumption (G-BASE);
 * `baseUrl` takes another.
 */
export const ENVIRONMENTS: Readonly<Record<Environment, string>> = {
  production: "https://api.billing-service.example",
  sandbox: "https://sandbox-api.billing-service.example",
};
