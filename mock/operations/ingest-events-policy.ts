import { amount, callable, oneOf, status, texts } from "../options/field-kinds.ts";
import type { PolicyFields } from "../options/policy-fields.ts";
import type { StoredEvent } from "../state/records.ts";

/** Assumptions about `events:ingest`. */
export interface IngestEventsPolicy {
  /** G-ING-STATUS: the status of a successful ingest; undefined for the contract's own, 200. */
  readonly ingestStatus: number | undefined;
  /** G-EVT-REQ: fields that every event needs in addition to those that the contract requires. */
  readonly requiredEventFields: readonly string[];
  /** G-MEMBER: fields of an event that must be UUIDs, for example `member_id`. */
  readonly uuidEventFields: readonly string[];
  /** G-EVT-REQ: the length of an event's name in characters; any by default. */
  readonly eventName: { readonly minLength: number; readonly maxLength: number };
  /** G-EVT-EXT: events with an `external_customer_id`. */
  readonly externalCustomers: "accept" | "reject";
  /** G-EVT-BOTH: an event with both customer ids; when accepted, `customer_id` counts. */
  readonly bothCustomerIds: "reject" | "accept";
  /** G-EVT-TIME: an event with a timestamp in the future. */
  readonly futureEvents: "accept" | "reject";
  /**
   * G-EVT-META: the metadata of an event. `values` allows any JSON, or only strings, numbers and booleans ("scalars") and,
   * under the keys in `objectKeys`, objects. Lengths are in characters.
   */
  readonly metadata: {
    readonly values: "any" | "scalars";
    readonly objectKeys: readonly string[];
    readonly maxPairs: number;
    readonly minKeyLength: number;
    readonly maxKeyLength: number;
    readonly minValueLength: number;
    readonly maxValueLength: number;
  };
  /** G-EVT-CUST: a `customer_id` that is unknown or belongs to another organization. */
  readonly unknownCustomers: "accept" | "reject";
  /** G-EVT-DUP: the key that duplicates within an organization share; undefined for an event that is never a duplicate. */
  readonly duplicateKey: (event: StoredEvent) => string | undefined;
  /** G-EVT-MAX: the maximum number of events in a batch. */
  readonly maxBatchSize: number;
}

export const ingestEventsDefaults: IngestEventsPolicy = {
  ingestStatus: undefined,
  requiredEventFields: [],
  uuidEventFields: [],
  eventName: { minLength: 0, maxLength: Number.POSITIVE_INFINITY },
  externalCustomers: "accept",
  bothCustomerIds: "reject",
  futureEvents: "accept",
  metadata: {
    values: "any",
    objectKeys: [],
    maxPairs: Number.POSITIVE_INFINITY,
    minKeyLength: 0,
    maxKeyLength: Number.POSITIVE_INFINITY,
    minValueLength: 0,
    maxValueLength: Number.POSITIVE_INFINITY,
  },
  unknownCustomers: "accept",
  duplicateKey: (event) => event.external_id,
  maxBatchSize: 10_000,
};

const acceptOrReject = oneOf("accept", "reject");

export const ingestEventsFields: PolicyFields<IngestEventsPolicy> = {
  ingestStatus: status,
  requiredEventFields: texts,
  uuidEventFields: texts,
  eventName: { group: { minLength: amount, maxLength: amount } },
  externalCustomers: acceptOrReject,
  bothCustomerIds: acceptOrReject,
  futureEvents: acceptOrReject,
  metadata: {
    group: {
      values: oneOf("any", "scalars"),
      objectKeys: texts,
      maxPairs: amount,
      minKeyLength: amount,
      maxKeyLength: amount,
      minValueLength: amount,
      maxValueLength: amount,
    },
  },
  unknownCustomers: acceptOrReject,
  duplicateKey: callable,
  maxBatchSize: amount,
};
