import * as z from "zod/mini";
import type { Schema } from "../../../src/contract/index.ts";
import type { TimestampInput } from "./timestamp.ts";

/** Any JSON value (RFC 8259). */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** An event's own facts: a free-form map (specification, section 2.2), whose values may be any JSON, nested too. */
export type EventMetadata = Readonly<Record<string, JsonValue>>;

const JsonValueSchema = z.unknown() as Schema<JsonValue>;

const EventMetadataSchema: Schema<EventMetadata> = z.record(z.string(), JsonValueSchema);

/** The fields that both variants of an event share (specification, section 2.2). */
export interface EventCreateBase {
  /** What happened, for example `api.call`; 1 to 128 characters (G-EVT-REQ). */
  name: string;
  /**
   * When it happened: a `Date`, or RFC 3339 with a time zone, `T` and `Z` in upper case, no leap second (G-EVT-TIME). The time of
   * receipt when omitted (G-EVT-REQ).
   */
  timestamp?: TimestampInput | undefined;
  /** The owning organization, a UUID; needed only with a personal access token that reaches several (G-EVT-ORG). */
  organization_id?: string | undefined;
  /**
   * Your own identifier of the event. It makes the event safe to send twice: a second one with the same identifier
   * counts as a duplicate and is not stored (G-EVT-DUP).
   */
  external_id?: string | undefined;
  /** The identifier of a parent event. */
  parent_id?: string | undefined;
  /**
   * Free-form facts about the event. The limits that services of this kind set are an assumption (G-EVT-META): a `strict`
   * mock has them.
   */
  metadata?: EventMetadata | undefined;
}

/**
 * A usage event of a customer known by the service's own customer ID. Which of its fields are required is an assumption
 * (G-EVT-REQ).
 */
export interface EventCreateCustomer extends EventCreateBase {
  /** The customer, a UUID. */
  customer_id: string;
  /** A member of the customer. */
  member_id?: string | undefined;
  /** Belongs to the other variant. */
  external_customer_id?: undefined;
}

/** A usage event of a customer known by an identifier of your own (its fields are an assumption, G-EVT-EXT). */
export interface EventCreateExternalCustomer extends EventCreateBase {
  /** Your own identifier of the customer. */
  external_customer_id: string;
  /** Your own identifier of a member of the customer. */
  external_member_id?: string | undefined;
  /** A member of the customer. */
  member_id?: string | undefined;
  /** Belongs to the other variant. */
  customer_id?: undefined;
}

/** A usage event to ingest: of a customer known by either identifier, never by both (G-EVT-BOTH). */
export type Event = EventCreateCustomer | EventCreateExternalCustomer;

const shared = {
  name: z.string().check(z.minLength(1), z.maxLength(128)),
  timestamp: z.exactOptional(z.iso.datetime({ offset: true })),
  organization_id: z.exactOptional(z.uuid()),
  external_id: z.exactOptional(z.string()),
  parent_id: z.exactOptional(z.string()),
  metadata: z.exactOptional(EventMetadataSchema),
  member_id: z.exactOptional(z.string()),
};

export const EventCreateCustomerSchema: Schema<EventCreateCustomer> = z.object({
  ...shared,
  customer_id: z.uuidv4(),
  external_customer_id: z.exactOptional(z.never()),
});

export const EventCreateExternalCustomerSchema: Schema<EventCreateExternalCustomer> = z.object({
  ...shared,
  external_customer_id: z.string(),
  external_member_id: z.exactOptional(z.string()),
  customer_id: z.exactOptional(z.never()),
});

export const EventSchema: Schema<Event> = z.union([EventCreateCustomerSchema, EventCreateExternalCustomerSchema]);

/** A batch of usage events; it may mix both variants. */
export interface EventsIngest {
  /** The events, stored all together or not at all (G-ING-ATOMIC). */
  events: readonly Event[];
}

export const EventsIngestSchema: Schema<EventsIngest> = z.object({ events: z.array(EventSchema) });

/**
 * What became of a batch (specification, section 2.3). That the two counts add up to its size, and its status 200, are
 * assumptions (G-ING-SUM, G-ING-STATUS).
 */
export interface IngestResponse {
  /** How many events were stored. */
  inserted: number;
  /** How many events were duplicates and were not stored again. */
  duplicates: number;
}

export const IngestResponseSchema: Schema<IngestResponse> = z.object({
  inserted: z.int(),
  duplicates: z.int(),
});
