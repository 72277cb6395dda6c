/**
 * Checks for your own outbox. They run in any test runner.
 *
 * @module usage/testing
 */
export { type OutboxCheck, type OutboxTestOptions, outboxChecks, testOutbox } from "./conformance/index.ts";
