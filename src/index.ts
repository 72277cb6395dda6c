/**
 * Exports that are independent of a version: the errors and the release dates. Import the clients from
 * `@billing-service/sdk/YYYY-MM`.
 *
 * @module @billing-service/sdk
 */
export * from "./errors/index.ts";
export * from "./lifecycle/index.ts";
