export { Fifo } from "./fifo.ts";
export { memoryOutbox } from "./memory-outbox.ts";
export type { Outbox, OutboxEntry, OutboxEvent, OutboxState, TakeLimit } from "./outbox.ts";
export { isOutboxError, OutboxError, type OutboxErrorReason } from "./outbox-error.ts";
