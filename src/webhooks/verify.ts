import { Checks } from "../errors/checks.ts";
import { WebhookVerificationError } from "../errors/webhook-verification-error.ts";
import { checkData, checkVersion, readBody, readEvent } from "./read-delivery.ts";
import { VERIFY_OPTIONS, type VerifySettings, verifySettings } from "./settings.ts";
import { SIGNATURE_PREFIX, type SignedParts, signedBytes, WEBHOOK_HEADERS, type WebhookVersion } from "./sign.ts";
import type { AnyWebhookEvent, EventOf, SchemasOf, VerifyOptions, WebhookDelivery } from "./types.ts";

/** Several signatures are separated by spaces, and by commas where a proxy has joined repeated headers. */
const SIGNATURES = new RegExp(`(?:^|[\\s,])${SIGNATURE_PREFIX}([^\\s,]*)`, "g");

/** Verifies a delivery for the entry point of a version. */
export async function verifyForVersion<Type extends string, Schemas extends SchemasOf<Type>>(
  version: WebhookVersion<Type>,
  delivery: Request | WebhookDelivery,
  options: VerifyOptions<Type, Schemas>,
): Promise<EventOf<Type, Schemas>> {
  const check = new Checks({ caller: "verifyWebhook" });
  const settings = verifySettings(version, check.fields("options", options, VERIFY_OPTIONS), check);
  check.object("delivery.headers", check.object("delivery", delivery).headers);
  const event = await verifyDelivery(delivery, settings);
  checkVersion(event, settings);
  return (await checkData(event, settings)) as EventOf<Type, Schemas>;
}

/**
 * Verifies the signature of a delivery, and reads its event. What needs no body is checked first.
 *
 * @throws {@link WebhookVerificationError} if the delivery is not authentic, or cannot be read.
 */
export async function verifyDelivery(delivery: WebhookDelivery, settings: VerifySettings): Promise<AnyWebhookEvent> {
  const id = readHeader(delivery.headers, WEBHOOK_HEADERS.id);
  const timestamp = readHeader(delivery.headers, WEBHOOK_HEADERS.timestamp);
  const signature = readHeader(delivery.headers, WEBHOOK_HEADERS.signature);
  checkTimestamp(timestamp, settings);
  const body = await readBody(delivery, settings);
  await checkSignature({ id, timestamp, body }, signature, settings);
  return readEvent(id, timestamp, headerOf(delivery.headers, WEBHOOK_HEADERS.version) ?? settings.version, body);
}

function readHeader(headers: object, name: string): string {
  const value = headerOf(headers, name);
  if (value) return value;
  const cause = "Usual cause: the request is not from the service, or a proxy removed it.";
  throw new WebhookVerificationError("header-missing", `The header ${name} is missing. ${cause}`);
}

/** Returns a header; of one that was repeated or split at its commas, all of its parts. */
function headerOf(headers: object, name: string): string | undefined {
  const value: unknown =
    typeof (headers as Headers).get === "function"
      ? (headers as Headers).get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const text: unknown = Array.isArray(value) ? value.filter((each) => typeof each === "string").join(",") : value;
  return typeof text === "string" ? text : undefined;
}

/** Checks that a delivery was signed recently, in seconds since 1970, so that an old one cannot be sent again. */
function checkTimestamp(timestamp: string, { now, tolerance }: VerifySettings): void {
  if (!/^\d{1,15}$/.test(timestamp)) {
    const problem = `The header ${WEBHOOK_HEADERS.timestamp} must be a number of seconds since 1970.`;
    throw new WebhookVerificationError("header-malformed", problem);
  }
  const age = Math.floor(Number(now()) / 1000) - Number(timestamp);
  // A clock that gives no time makes the age NaN, which is outside of every tolerance.
  if (Math.abs(age) <= tolerance) return;
  const when = age > 0 ? `${age} s ago` : `${-age} s in the future`;
  const cause =
    "Usual cause: this machine's clock is wrong, or the request is old. With a mock, pass now: mock.clock.now.";
  const problem = `The delivery was signed ${when}; the tolerance is ${tolerance} s. ${cause}`;
  throw new WebhookVerificationError(age > 0 ? "timestamp-too-old" : "timestamp-too-new", problem);
}

/** Checks that one of the keys gives one of the signatures in a header. */
async function checkSignature(parts: SignedParts, header: string, { keys }: VerifySettings): Promise<void> {
  // A longer header would cost more than the HMAC.
  const given = Array.from(header.slice(0, 4_096).matchAll(SIGNATURES), ([, signature = ""]) => signature);
  const bytes = signedBytes(parts);
  for (const hmacOf of keys) {
    const expected = await hmacOf(bytes);
    if (given.some((each) => isEqual(each, expected))) return;
  }
  // Anyone can cause this error, so nothing looks for its cause.
  const cause = "Usual cause: the secret belongs to another endpoint, or a body parser ran first.";
  throw new WebhookVerificationError("signature-mismatch", `The signature does not match. ${cause}`);
}

/** Compares two strings; if their lengths are equal, in a time that does not depend on where they differ. */
function isEqual(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let i = 0; i < expected.length; i++) difference |= given.charCodeAt(i) ^ expected.charCodeAt(i);
  return difference === 0;
}
