import { amount, atLeast, oneOf } from "../options/field-kinds.ts";
import type { PolicyFields } from "../options/policy-fields.ts";

/** Assumptions about request bodies in general. */
export interface BodyPolicy {
  /** G-DEPTH: the maximum nesting depth of a body. */
  readonly maxBodyDepth: number;
  /** G-VALUES: the maximum number of names and values in a body; more are a 413. */
  readonly maxBodyValues: number;
  /** G-422-MAX: the maximum number of problems in a 422; the last one says how many more there are. */
  readonly maxProblems: number;
  /** G-NULL: null in an optional field that is not nullable; `accept` treats it as left out. */
  readonly nullFields: "reject" | "accept";
  /** G-FIELDS: fields that the contract does not define. */
  readonly unknownFields: "ignore" | "reject";
  /** G-CONTENT-TYPE: a body whose `Content-Type` is not JSON. */
  readonly otherContentTypes: "reject" | "accept";
  /** G-PROTO: a field named `__proto__`, which a JavaScript client cannot send by accident. */
  readonly protoFields: "reject" | "accept";
  /** G-EMPTY: a batch without events, and an update of an endpoint without fields. */
  readonly emptyBodies: "accept" | "reject";
}

export const bodyDefaults: BodyPolicy = {
  maxBodyDepth: 200,
  maxBodyValues: 400_000,
  maxProblems: 100,
  nullFields: "reject",
  unknownFields: "ignore",
  otherContentTypes: "reject",
  protoFields: "reject",
  emptyBodies: "accept",
};

export const bodyFields: PolicyFields<BodyPolicy> = {
  maxBodyDepth: amount,
  maxBodyValues: amount,
  maxProblems: atLeast(1),
  nullFields: oneOf("accept", "reject"),
  unknownFields: oneOf("ignore", "reject"),
  otherContentTypes: oneOf("accept", "reject"),
  protoFields: oneOf("accept", "reject"),
  emptyBodies: oneOf("accept", "reject"),
};
