import { WebhookVerificationError } from "../errors/webhook-verification-error.ts";
import { WEBHOOK_HEADERS } from "./webhook-headers.ts";

/** The maximum number of characters of a header. */
const LONGEST = 4_096;

/** The headers of a delivery that its signature needs. */
export interface SignatureHeaders {
  readonly id: string;
  /** Digits: the time of signing in seconds since 1970. */
  readonly timestamp: string;
  /** One or more signatures, separated by spaces. */
  readonly signature: string;
}

/**
 * Reads the headers of a delivery.
 *
 * @throws {@link WebhookVerificationError} if one is missing or malformed.
 */
export function readHeaders(headers: object): SignatureHeaders {
  const id = read(headers, WEBHOOK_HEADERS.id);
  const timestamp = read(headers, WEBHOOK_HEADERS.timestamp);
  const signature = read(headers, WEBHOOK_HEADERS.signature);
  if (!/^\d{1,15}$/.test(timestamp))
    throw malformedHeader(WEBHOOK_HEADERS.timestamp, "must be a number of seconds since 1970");
  return { id, timestamp, signature };
}

function read(headers: object, name: string): string {
  const value = lookUp(headers, name);
  const text = Array.isArray(value) ? value.join(" ") : value;
  if (text === undefined || text === null || text === "") throw missing(name);
  if (typeof text === "string" && text.length <= LONGEST) return text;
  throw malformedHeader(name, `must be a string of at most ${LONGEST} characters`);
}

function lookUp(headers: object, name: string): unknown {
  if (typeof (headers as Headers).get === "function") return (headers as Headers).get(name);
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
}

function missing(name: string): WebhookVerificationError {
  return new WebhookVerificationError(
    "header-missing",
    `The header ${name} is missing. Usual cause: the request is not from the service, or a proxy removed it.`,
  );
}

/** Returns the error for a header that cannot be read. */
export function malformedHeader(name: string, problem: string): WebhookVerificationError {
  return new WebhookVerificationError("header-malformed", `The header ${name} ${problem}.`);
}
