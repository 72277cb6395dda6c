import type { Call, CallOptions, OperationError, Send } from "../../../src/client/index.ts";
import type { Operation } from "../../../src/contract/index.ts";
import { type HTTPValidationError, HTTPValidationErrorSchema } from "../models/error.ts";
import {
  type Event,
  type EventsIngest,
  EventsIngestSchema,
  type IngestResponse,
  IngestResponseSchema,
} from "../models/event.ts";
import { type ScopedFailures, scopedFailures } from "./failures.ts";

/** The error bodies that `events.ingest` declares, by status. */
export interface IngestEventsFailures extends ScopedFailures {
  422: HTTPValidationError;
}

/** The errors of `events.ingest`. */
export type IngestEventsError = OperationError<IngestEventsFailures>;

interface IngestEvents {
  body: EventsIngest;
  data: IngestResponse;
  failures: IngestEventsFailures;
}

export const ingestEvents: Operation<IngestEvents> = {
  id: "events:ingest",
  method: "POST",
  path: "/v1/events/ingest",
  summary: "Ingest a batch of usage events.",
  security: { schemes: ["pat", "oat"], scopes: ["events:write"] },
  request: { body: EventsIngestSchema },
  response: { status: 200, body: IngestResponseSchema },
  failures: { ...scopedFailures, 422: HTTPValidationErrorSchema },
  repeatable: ({ events }) => {
    const index = events.findIndex((event) => !hasExternalId(event));
    return index === -1 || `events[${index}] has no external_id`;
  },
};

/** Ignores an inherited `external_id`: JSON carries own fields only. */
function hasExternalId(event: Event): boolean {
  return Object.hasOwn(event, "external_id") && typeof event.external_id === "string" && event.external_id !== "";
}

/** Calls the operations on usage events. */
export interface Events {
  /**
   * Stores a batch of usage events: all of them, or none if one is invalid. Requires a personal or organization access
   * token with the scope `events:write`.
   *
   * Give every event an `external_id`, so that the service stores it once even if it arrives twice (G-EVT-DUP), and the call is retried after
   * network failures, timeouts and server errors. Otherwise it is retried only after a 429, since a repetition could count an event twice.
   *
   * @param events The events. A batch may mix both variants.
   * @returns The numbers of stored events and duplicates. They add up to the size of the batch (G-ING-SUM).
   * @throws {@link ApiError} with status 422 when an event is invalid. Its body locates each invalid field.
   * @see Specification, section 4.2
   */
  ingest(events: readonly Event[], options?: CallOptions): Call<IngestResponse, IngestEventsError>;
}

/** Binds the operations to a client's `send`. */
export function events(send: Send): Events {
  return {
    ingest: (batch, options) => send(ingestEvents, { body: { events: batch } }, options),
  };
}
