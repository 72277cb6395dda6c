import type { CallOptions } from "../../client/options.ts";

/** The fields of a usage event that this package reads. The type of a version's events has more. */
export interface UsageEvent {
  readonly name: string;
  /** Your own identifier of the event. Without one, a UUID of version 7 is added. */
  readonly external_id?: string | undefined;
}

/** An event of any version, with any fields. */
export type AnyUsageEvent = UsageEvent | (UsageEvent & { readonly [field: string]: unknown });

/** The part of a client that sends usage events. The client of every version has it. */
export interface UsageClient<Event extends UsageEvent = UsageEvent> {
  readonly events: {
    ingest(
      events: readonly Event[],
      options?: CallOptions,
    ): PromiseLike<{ readonly inserted: number; readonly duplicates: number }>;
  };
}

/** One problem of an event, from a 422 of the service or from a check before sending. */
export interface EventProblem {
  /** The path of the invalid field, for example `metadata.pages`; empty for the event as a whole. */
  readonly path: string;
  /** A human-readable message. */
  readonly message: string;
  /** The machine-readable type of a 422, for example `missing`; `too_large` or `invalid` for a check before sending. */
  readonly type: string;
}

/** An event that will not be stored. */
export interface RejectedEvent<Event extends UsageEvent = UsageEvent> {
  /** The event as it was sent; the given value, or the contents of the outbox, if it could not be sent. */
  readonly event: Event;
  readonly problems: readonly EventProblem[];
}
