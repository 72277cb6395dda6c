export { createEventBuffer } from "./create-event-buffer.ts";
export type { BufferStats, EventBuffer } from "./event-buffer.ts";
export { EventBufferError, type EventBufferErrorReason, isEventBufferError } from "./event-buffer-error.ts";
export type {
  BatchRetry,
  DropReason,
  EventBufferCallbacks,
  EventBufferOptions,
  SentBatch,
  WhenFull,
} from "./options.ts";
export type { EventCounts } from "./reporter.ts";
