export * from "./api-error.ts";
export { BillingError, type ErrorGuard, isBillingError } from "./billing-error.ts";
export * from "./call-errors.ts";
export * from "./webhook-verification-error.ts";
