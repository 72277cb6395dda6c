import { amount, oneOf, orNull, status, texts } from "../options/field-kinds.ts";
import type { PolicyFields } from "../options/policy-fields.ts";

/** Assumptions about `events:ingest`. */
export interface IngestEventsPolicy {
  /** G-ING-STATUS: the status of a successful ingest; null for the contract's own, 200. */
  readonly ingestStatus: number | null;
  /** G-EVT-REQ: fields that every event needs in addition to those that the contract requires. */
  readonly requiredEventFields: readonly string[];
  /** G-MEMBER: fields of an event that must be UUIDs, for example `member_id`. */
  readonly uuidEventFields: readonly string[];
  /** G-EVT-REQ: the length of an event's name in characters; null for no limit. */
  readonly eventName: { readonly minLength: number; readonly maxLength: number | null };
  /** G-EVT-EXT: events with an `external_customer_id`. */
  readonly externalCustomers: "accept" | "reject";
  /** G-EVT-BOTH: an event with both customer ids; when accepted, `customer_id` counts. */
  readonly bothCustomerIds: "reject" | "accept";
  /** G-EVT-TIME: an event with a timestamp in the future. */
  readonly futureEvents: "accept" | "reject";
  /**
   * G-EVT-META: the metadata of an event. `values` allows any JSON, or only strings, numbers and booleans ("scalars") and,
   * under the keys in `objectKeys`, objects. Lengths are in characters, null for no limit.
   */
  readonly metadata: {
    readonly values: "any" | "scalars";
    readonly objectKeys: readonly string[];
    readonly maxPairs: number | null;
    readonly minKeyLength: number;
    readonly maxKeyLength: number | null;
    readonly minValueLength: number;
    readonly maxValueLength: number | null;
  };
  /** G-EVT-CUST: a `customer_id` that is unknown or belongs to another organization. */
  readonly unknownCustomers: "accept" | "reject";
  /** G-EVT-DUP: events of an organization with the same `external_id`: counted as duplicates, or stored again. */
  readonly duplicateEvents: "skip" | "store";
  /** G-EVT-MAX: the maximum number of events in a batch. */
  readonly maxBatchSize: number;
}

export const ingestEventsDefaults: IngestEventsPolicy = {
  ingestStatus: null,
  requiredEventFields: [],
  uuidEventFields: [],
  eventName: { minLength: 0, maxLength: null },
  externalCustomers: "accept",
  bothCustomerIds: "reject",
  futureEvents: "accept",
  metadata: {
    values: "any",
    objectKeys: [],
    maxPairs: null,
    minKeyLength: 0,
    maxKeyLength: null,
    minValueLength: 0,
    maxValueLength: null,
  },
  unknownCustomers: "accept",
  duplicateEvents: "skip",
  maxBatchSize: 10_000,
};

const acceptOrReject = oneOf("accept", "reject");

export const ingestEventsFields: PolicyFields<IngestEventsPolicy> = {
  ingestStatus: orNull(status),
  requiredEventFields: texts,
  uuidEventFields: texts,
  eventName: { group: { minLength: amount, maxLength: orNull(amount) } },
  externalCustomers: acceptOrReject,
  bothCustomerIds: acceptOrReject,
  futureEvents: acceptOrReject,
  metadata: {
    group: {
      values: oneOf("any", "scalars"),
      objectKeys: texts,
      maxPairs: orNull(amount),
      minKeyLength: amount,
      maxKeyLength: orNull(amount),
      minValueLength: amount,
      maxValueLength: orNull(amount),
    },
  },
  unknownCustomers: acceptOrReject,
  duplicateEvents: oneOf("skip", "store"),
  maxBatchSize: amount,
};
