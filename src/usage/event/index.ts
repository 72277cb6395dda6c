export { ENVELOPE_BYTES, MAX_EVENT_BYTES, type SerializedEvent, serializeEvent } from "./serialize-event.ts";
export type { AnyUsageEvent, EventProblem, RejectedEvent, UsageClient, UsageEvent } from "./usage-event.ts";
