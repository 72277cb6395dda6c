export { Fifo, memoryOutbox } from "./memory-outbox.ts";
export {
  isOutboxError,
  type Outbox,
  type OutboxEntry,
  OutboxError,
  type OutboxErrorReason,
  type OutboxEvent,
  type OutboxState,
  type TakeLimit,
} from "./outbox.ts";
