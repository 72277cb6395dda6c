import { amount, finite, isOrigin, object, oneOf } from "../options/field-kinds.ts";
import type { JsonBody } from "../options/json-body.ts";
import type { PolicyFields } from "../options/policy-fields.ts";
import { type FieldKind, isObject } from "../options/shape.ts";
import type { RateLimit } from "../state/rate-counter.ts";

/** Assumptions about the checks that every request passes, and about what the service serves besides operations. */
export interface PipelinePolicy {
  /** G-BODY-MAX: the maximum size of a body in bytes. */
  readonly maxBodyBytes: number;
  /** G-LENGTH: a POST, PUT or PATCH over a socket without a `Content-Length` header; `reject` answers 411. */
  readonly bodyWithoutLength: "accept" | "reject";
  /** G-RATE: the number of requests that a credential may send in a time window; null for no limit. */
  readonly rateLimit: RateLimit | null;
  /** G-CORS: the origins whose pages may use the service, or `"*"` for all; none by default. */
  readonly cors: "*" | readonly string[];
  /** G-OIDC: fields of the discovery document in addition to issuer, authorization endpoint and scopes. */
  readonly discovery: JsonBody;
}

export const pipelineDefaults: PipelinePolicy = {
  maxBodyBytes: 10 * 1024 * 1024,
  bodyWithoutLength: "accept",
  rateLimit: null,
  cors: [],
  discovery: { response_types_supported: ["code"] },
};

const rateLimit: FieldKind = {
  name: "an object with requests and windowSeconds, both numbers, or null",
  fits: (value) =>
    value === null || (isObject(value) && finite.fits(value["requests"]) && finite.fits(value["windowSeconds"])),
};

const origins: FieldKind = {
  name: '"*" or an array of origins, as in ["http://localhost:5173"]',
  fits: (value) => value === "*" || (Array.isArray(value) && value.every(isOrigin)),
};

export const pipelineFields: PolicyFields<PipelinePolicy> = {
  maxBodyBytes: amount,
  bodyWithoutLength: oneOf("accept", "reject"),
  rateLimit,
  cors: origins,
  discovery: object,
};
