/**
 * Sends usage events to the service in batches, and keeps them through outages.
 *
 * @module usage
 */
export * from "./buffer/index.ts";
export type { AnyUsageEvent, EventProblem, RejectedEvent, UsageClient, UsageEvent } from "./event/index.ts";
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
