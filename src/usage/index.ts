/**
 * Sends usage events to the service without losing one.
 *
 * @module usage
 */
export * from "./buffer/index.ts";
export type { EventProblem, RejectedEvent, UsageClient, UsageEvent } from "./event/index.ts";
export * from "./ingest/index.ts";
export {
  isOutboxError,
  memoryOutbox,
  type Outbox,
  type OutboxEntry,
  OutboxError,
  type OutboxErrorReason,
  type OutboxEvent,
  type OutboxState,
  type TakeLimit,
} from "./outbox/index.ts";
