import {
  isVersionMismatchError,
  isWebhookVerificationError,
  type WebhookVerificationReason,
} from "../../src/errors/index.ts";
import { verifyForVersion, WEBHOOK_HEADERS, type WebhookDelivery } from "../../src/webhooks/index.ts";
import { CURRENT, versionNames } from "../versions.ts";
import type { PastedDelivery } from "./pasted-delivery.ts";

/** Options for `verifyPasted`. */
export interface VerifyWith {
  readonly secrets: readonly string[];
  /** The expected API version; undefined allows every version of the package. */
  readonly version: string | undefined;
  /** In seconds. */
  readonly tolerance: number;
  /** The time of arrival, in milliseconds since 1970. */
  readonly receivedAt: number;
}

/** A delivery that a receiver accepts. */
export interface ValidDelivery {
  readonly valid: true;
  readonly id: string;
  readonly type: string;
  readonly api_version: string;
  readonly signed_at: string;
}

/** A delivery that a receiver rejects. */
export interface InvalidDelivery {
  readonly valid: false;
  readonly reason: WebhookVerificationReason | "version-mismatch";
  /** The problem and its usual cause. */
  readonly message: string;
}

/** The result of a verification. */
export type Verification = ValidDelivery | InvalidDelivery;

/**
 * Verifies a delivery as a receiver does. A copied delivery is usually old: if only its age is wrong, the message says so;
 * otherwise the other reason is returned, because it matters more.
 */
export async function verifyPasted(delivery: PastedDelivery, options: VerifyWith): Promise<Verification> {
  const verdict = await verifyAt(delivery, options);
  if (verdict.valid || !isAboutTime(verdict)) return verdict;
  const signedAt = 1000 * Number(headerOf(delivery, WEBHOOK_HEADERS.timestamp));
  const inTime = await verifyAt(delivery, { ...options, receivedAt: signedAt });
  if (!inTime.valid) return inTime;
  return { ...verdict, message: `${verdict.message} ${ONLY_TIME}` };
}

const ONLY_TIME =
  "The signature is valid, so the secret and the body are right. If the delivery arrived earlier, pass the time of its " +
  "arrival with --received.";

async function verifyAt(delivery: PastedDelivery, options: VerifyWith): Promise<Verification> {
  const verdict = await verifyBody(delivery, options);
  const shorter = withoutLastLineBreak(delivery.body);
  if (!isAboutSignature(verdict) || shorter === undefined) return verdict;
  const second = await verifyBody({ ...delivery, body: shorter }, options);
  return isAboutSignature(second) ? verdict : second;
}

function isAboutSignature(verdict: Verification): boolean {
  return !verdict.valid && (verdict.reason === "signature-mismatch" || verdict.reason === "body-changed");
}

async function verifyBody({ headers, body }: PastedDelivery, options: VerifyWith): Promise<Verification> {
  const { secrets, version, tolerance, receivedAt } = options;
  const versions = version === undefined ? versionNames : [];
  const pasted = { headers, body } as WebhookDelivery;
  try {
    const event = await verifyForVersion({ name: version ?? CURRENT, types: [] }, pasted, {
      secret: secrets,
      versions,
      tolerance,
      now: () => receivedAt,
    });
    const { id, type, api_version } = event;
    return { valid: true, id, type: String(type), api_version, signed_at: signedAtOf(headers) };
  } catch (error) {
    return toVerdict(error, version);
  }
}

function toVerdict(error: unknown, version: string | undefined): InvalidDelivery {
  if (isWebhookVerificationError(error)) return { valid: false, reason: error.reason, message: error.message };
  if (!isVersionMismatchError(error)) throw error;
  const expected = version === undefined ? `one of ${versionNames.join(", ")}` : version;
  const message =
    `The event has version ${error.received}; expected ${expected}. Pass versions: ["${error.received}"] to the receiver, ` +
    "or change api_version of the webhook endpoint, which applies to new events only.";
  return { valid: false, reason: "version-mismatch", message };
}

function isAboutTime({ reason }: InvalidDelivery): boolean {
  return reason === "timestamp-too-old" || reason === "timestamp-too-new";
}

/** Returns the time of signing; the header itself if it is later than any date. */
function signedAtOf(headers: PastedDelivery["headers"]): string {
  const seconds = headerOf({ headers }, WEBHOOK_HEADERS.timestamp);
  const time = new Date(1000 * Number(seconds));
  return Number.isNaN(time.getTime()) ? String(seconds) : time.toISOString();
}

function headerOf({ headers }: Pick<PastedDelivery, "headers">, name: string): string | undefined {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
}

/** Returns the bytes without the line break that an editor or a log adds; undefined if there is none. */
function withoutLastLineBreak(body: unknown): Buffer | undefined {
  if (!Buffer.isBuffer(body) || body.at(-1) !== 0x0a) return undefined;
  return body.subarray(0, body.at(-2) === 0x0d ? -2 : -1);
}
