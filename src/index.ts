/**
 * What belongs to no version: the errors, and the calendar of the versions. The clients are one import away, at
 * `@billing-service/sdk/YYYY-MM`.
 *
 * @module @billing-service/sdk
 */
export * from "./errors/index.ts";
export * from "./lifecycle/index.ts";
