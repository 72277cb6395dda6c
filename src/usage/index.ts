/**
 * Sends usage events to the service without losing one.
 *
 * @module usage
 */
export * from "./outbox/index.ts";
