import { amount, object, oneOf, status, text } from "../options/field-kinds.ts";
import type { JsonBody } from "../options/json-body.ts";
import type { PolicyFields } from "../options/policy-fields.ts";

/** Assumptions about error responses. In bodies, `{description}` stands for the reason. */
export interface ErrorPolicy {
  /** G-401: the body of the response to a request without a credential, and the realm of every challenge. */
  readonly unauthorized: { readonly body: JsonBody; readonly realm: string };
  /** G-401-BAD: the status for an invalid credential; undefined for the contract's own, 401. */
  readonly invalidTokenStatus: number | undefined;
  /** G-401-BAD: the body of that response. */
  readonly invalidTokenBody: JsonBody;
  /** G-403: the status for a credential without the scope; undefined for the contract's own, 403. */
  readonly insufficientScopeStatus: number | undefined;
  /** G-403: the body of that response. */
  readonly insufficientScopeBody: JsonBody;
  /** G-404: the `detail` of the response to an unknown id. */
  readonly resourceNotFoundDetail: string;
  /** G-404-VER: the response to an unsupported version: its body, and whether `Service-Version` names Current. */
  readonly unsupportedVersion: { readonly body: JsonBody; readonly serviceVersion: "current" | "none" };
  /** G-404: the bodies of the responses to an unknown path and to a method that a path does not have. */
  readonly unknownRoute: { readonly notFound: JsonBody; readonly methodNotAllowed: JsonBody };
  /** G-413: the body of the response to a body that is too large. */
  readonly tooLargeBody: JsonBody;
  /** G-422: other names for the types of validation errors, for example `{ missing: "required" }`. */
  readonly validationTypes: Readonly<Record<string, string>>;
  /** G-422-INPUT: the maximum length of an `input` in a 422, in characters of JSON; a longer one is left out. */
  readonly maxInputLength: number;
}

export const errorDefaults: ErrorPolicy = {
  unauthorized: { body: { error: "Unauthorized", detail: "Unauthorized" }, realm: "billing-service" },
  invalidTokenStatus: undefined,
  invalidTokenBody: { error: "invalid_token", error_description: "{description}" },
  insufficientScopeStatus: undefined,
  insufficientScopeBody: { error: "insufficient_scope", error_description: "{description}" },
  resourceNotFoundDetail: "Not found",
  unsupportedVersion: { body: { detail: "Not Found" }, serviceVersion: "current" },
  unknownRoute: { notFound: { detail: "Not Found" }, methodNotAllowed: { detail: "Method Not Allowed" } },
  tooLargeBody: { error: "RequestBodyTooLarge", detail: "{description}" },
  validationTypes: {},
  maxInputLength: 1_000,
};

export const errorFields: PolicyFields<ErrorPolicy> = {
  unauthorized: { group: { body: object, realm: text } },
  invalidTokenStatus: status,
  invalidTokenBody: object,
  insufficientScopeStatus: status,
  insufficientScopeBody: object,
  resourceNotFoundDetail: text,
  unsupportedVersion: { group: { body: object, serviceVersion: oneOf("current", "none") } },
  unknownRoute: { group: { notFound: object, methodNotAllowed: object } },
  tooLargeBody: object,
  validationTypes: object,
  maxInputLength: amount,
};
