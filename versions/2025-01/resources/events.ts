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

/** The declared failures of ingesting events. */
export interface IngestEventsFailures extends ScopedFailures {
  422: HTTPValidationError;
}

/** What ingesting events can fail with. */
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

/** JSON carries own fields only: an inherited `external_id` is not sent. */
function hasExternalId(event: Event): boolean {
  return Object.hasOwn(event, "external_id") && typeof event.external_id === "string" && event.external_id !== "";
}

/** The usage of your customers. */
export interface Events {
  /**
   * Stores a batch of usage events: all of them, or none when one is refused. It needs a personal or an organization
   * access token with the scope `events:write`.
   *
   * Give every event an `external_id`: only then is the call safe to repeat, and only then is it retried after a
   * network failure, a time-out or a failure of the service. Otherwise it is retried after a 429 alone, since a
   * repetition could count an event twice.
   *
   * @param events The events; both variants may be mixed.
   * @returns How many were stored and how many were duplicates; together the size of the batch (G-ING-SUM).
   * @throws {@link ApiError} with status 422 when an event is refused; its body names each bad field by its place.
   * @see Specification, section 4.2
   */
  ingest(events: readonly Event[], options?: CallOptions): Call<IngestResponse, IngestEventsError>;
}

/** Binds the operations to a client. */
export function events(send: Send): Events {
  return {
    ingest: (batch, options) => send(ingestEvents, { body: { events: batch } }, options),
  };
}
