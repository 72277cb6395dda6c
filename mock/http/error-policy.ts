import { amount, oneOf, orNull, status } from "../options/field-kinds.ts";
import type { PolicyFields } from "../options/policy-fields.ts";

/** Assumptions about error responses. */
export interface ErrorPolicy {
  /** G-401-BAD: the status for an invalid credential; null for the contract's own, 401. */
  readonly invalidTokenStatus: number | null;
  /** G-403: the status for a credential without the scope; null for the contract's own, 403. */
  readonly insufficientScopeStatus: number | null;
  /** G-404-VER: the `Service-Version` of the response to an unsupported version: Current, or none. */
  readonly unsupportedVersionHeader: "current" | "none";
  /** G-422-INPUT: the maximum length of an `input` in a 422, in characters of JSON; a longer one is left out. */
  readonly maxInputLength: number;
}

export const errorDefaults: ErrorPolicy = {
  invalidTokenStatus: null,
  insufficientScopeStatus: null,
  unsupportedVersionHeader: "current",
  maxInputLength: 1_000,
};

export const errorFields: PolicyFields<ErrorPolicy> = {
  invalidTokenStatus: orNull(status),
  insufficientScopeStatus: orNull(status),
  unsupportedVersionHeader: oneOf("current", "none"),
  maxInputLength: amount,
};
