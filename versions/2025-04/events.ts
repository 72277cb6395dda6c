import * as z from "zod/mini";
import type { Call, CallOptions, Operation, OperationError, Send } from "../../src/contract.ts";
import { takingWritten } from "../../src/values/json.ts";
import { type ScopedFailures, scopedFailures } from "./errors.ts";
import type { TimestampInput } from "./timestamp.ts";

/** Any JSON value (RFC 8259). */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** Free-form metadata of an event (specification, section 2.2). Values may be any JSON, including nested objects. */
export type EventMetadata = Readonly<Record<string, JsonValue>>;

const EventMetadataSchema: z.ZodMiniType<EventMetadata> = z.looseObject({}) as z.ZodMiniType<EventMetadata>;

/** The fields that both variants of an event share (specification, section 2.2). */
export interface EventCreateBase {
  /** The name of the event, for example `api.call`. A `strict` mock accepts 1 to 128 characters. */
  name: string;
  /**
   * The time of the event: a `Date`, or an RFC 3339 string with a time zone, `T` and `Z` in upper case and no leap second.
   * Defaults to the time of receipt.
   */
  timestamp?: TimestampInput | undefined;
  /**
   * The organization that owns the event, a UUID. It is assumed to be required only for a personal access token with several
   * organizations.
   */
  organization_id?: string | undefined;
  /**
   * Your own identifier of the event. It is assumed that a second event with the same identifier counts as a duplicate and is
   * not stored, so that the event is safe to send twice.
   */
  external_id?: string | undefined;
  /** The identifier of a parent event. */
  parent_id?: string | undefined;
  /** Free-form metadata. A `strict` mock limits its size. */
  metadata?: EventMetadata | undefined;
}

/** A usage event of a customer identified by the service's customer ID. It is an assumption which fields are required. */
export interface EventCreateCustomer extends EventCreateBase {
  /** The customer's identifier, a UUID of version 1 to 8, nil or max. */
  customer_id: string;
  /** The identifier of a member of the customer. */
  member_id?: string | undefined;
  /** Not allowed in this variant. */
  external_customer_id?: undefined;
}

/** A usage event of a customer identified by your own ID. Its fields are an assumption. */
export interface EventCreateExternalCustomer extends EventCreateBase {
  /** Your own identifier of the customer. */
  external_customer_id: string;
  /** Your own identifier of a member of the customer. */
  external_member_id?: string | undefined;
  /** The identifier of a member of the customer. */
  member_id?: string | undefined;
  /** Not allowed in this variant. */
  customer_id?: undefined;
}

/**
 * A usage event to ingest. It identifies the customer by one of the two identifiers. It is an assumption that both together
 * are not allowed.
 */
export type Event = EventCreateCustomer | EventCreateExternalCustomer;

/**
 * Matches a time of RFC 3339 with an existing date, `T` and `Z` in upper case and no leap second. `z.iso` has
 * the same pattern, but adds 0.5 kB to every client.
 */
const TIME_WITH_ZONE =
  /^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|([+-](?:[01]\d|2[0-3]):[0-5]\d)))$/;

/** Matches a UUID of version 1 to 8, nil or max. `z.uuid` has the same pattern, but adds 0.2 kB to every client. */
const UuidSchema = z.stringFormat(
  "uuid",
  /^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$/,
);

const shared = {
  name: z.string(),
  timestamp: z.exactOptional(z.stringFormat("datetime", TIME_WITH_ZONE)),
  organization_id: z.exactOptional(UuidSchema),
  external_id: z.exactOptional(z.string()),
  parent_id: z.exactOptional(z.string()),
  metadata: z.exactOptional(EventMetadataSchema),
  member_id: z.exactOptional(z.string()),
};

export const EventCreateCustomerSchema = z.object({
  ...shared,
  customer_id: UuidSchema,
  external_customer_id: z.exactOptional(z.never()),
});

export const EventCreateExternalCustomerSchema = z.object({
  ...shared,
  external_customer_id: z.string(),
  external_member_id: z.exactOptional(z.string()),
  customer_id: z.exactOptional(z.never()),
});

export const EventSchema = z.union([EventCreateCustomerSchema, EventCreateExternalCustomerSchema]);

/** A batch of usage events. It may mix both variants. */
export interface EventsIngest {
  /** The events. It is assumed that either all or none are stored. */
  events: readonly Event[];
}

export const EventsIngestSchema = z.object({ events: z.array(EventSchema) });

/**
 * The result of ingesting a batch (specification, section 2.3). It is an assumption that the two counts add up to the size
 * of the batch and that the status is 200.
 */
export interface IngestResponse {
  /** The number of stored events. */
  inserted: number;
  /** The number of duplicates, which were not stored again. */
  duplicates: number;
}

export const IngestResponseSchema = z.object({ inserted: z.int(), duplicates: z.int() });

export const ingestEvents: Operation<{ body: EventsIngest; data: IngestResponse; failures: ScopedFailures }> = {
  id: "events:ingest",
  method: "POST",
  path: "/v1/events/ingest",
  summary: "Ingest a batch of usage events.",
  security: { schemes: ["pat", "oat"], scopes: ["events:write"] },
  request: { body: EventsIngestSchema },
  response: { status: 200, body: IngestResponseSchema },
  failures: scopedFailures,
  idempotent: ({ events }) => {
    const index = events.findIndex(({ external_id: id }) => typeof id !== "string" || id === "");
    return index === -1 || `events[${index}] has no external_id`;
  },
};

/** Calls the operations on usage events. */
export interface Events {
  /**
   * Stores a batch of usage events. It is assumed that none is stored if one is invalid. Requires a personal or organization
   * access token with the scope `events:write`.
   *
   * Give every event an `external_id`. It is assumed that the service stores one event per `external_id`, so the
   * call is then retried after network failures, timeouts and temporary server errors. Without one, the call is retried only
   * after a 429, because a retry could count an event twice.
   *
   * @param events The events. A batch may mix both variants.
   * @remarks Assumptions: G-ING-ATOMIC, G-ING-SUM, G-ING-STATUS, G-EVT-DUP, G-EVT-REQ, G-EVT-EXT, G-EVT-BOTH, G-EVT-ORG,
   * G-EVT-TIME and G-EVT-META. docs/rules.md lists them.
   * @returns The numbers of stored events and duplicates. They are assumed to add up to the size of the batch.
   * @throws {@link ApiError} with status 422 when an event is invalid. Its body locates each invalid field.
   * @example
   * ```ts
   * const result = await billing.events.ingest([
   *   {
   *     name: "api.call",
   *     customer_id: "4a7e3c52-8f1d-4b6a-9c0e-2d5b7f8a1e34",
   *     external_id: "call-1",
   *   },
   * ]);
   * ```
   * @see Specification, section 4.2
   */
  ingest(events: readonly Event[], options?: CallOptions): Call<IngestResponse, OperationError<ScopedFailures>>;
}

/** Binds the operations to a client's `send`. */
export function events(send: Send): Events {
  return {
    ingest: takingWritten((batch, options) => send(ingestEvents, { body: { events: batch } }, options)),
  };
}
