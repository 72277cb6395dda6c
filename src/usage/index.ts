/**
 * Sends usage events to the service in batches, and keeps them through outages.
 *
 * @module usage
 */

export { EventBufferError, type EventBufferErrorReason, isEventBufferError } from "./buffer/appender.ts";
export { type BufferStats, createEventBuffer, type EventBuffer } from "./buffer/event-buffer.ts";
export type {
  BatchRetry,
  EventBufferCallbacks,
  EventBufferOptions,
} from "./buffer/options.ts";
export type { EventCounts } from "./buffer/reporter.ts";
export type { EventProblem, RejectedEvent, UsageClient, UsageEvent } from "./event.ts";
export {
  type IngestAllOptions,
  type IngestProgress,
  type IngestReport,
  ingestAll,
  type RejectedAt,
} from "./ingest-all.ts";
export { memoryOutbox } from "./memory-outbox.ts";
export * from "./outbox.ts";
