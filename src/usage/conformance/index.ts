export type { OutboxCheck, OutboxTestOptions } from "./check.ts";
export { outboxChecks, testOutbox } from "./test-outbox.ts";
