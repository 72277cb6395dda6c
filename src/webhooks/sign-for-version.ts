import { describeValue } from "../errors/describe-value.ts";
import { hmac } from "./hmac.ts";
import { OptionChecks } from "./option-checks.ts";
import { SIGNATURE_LABEL, signedText } from "./sign.ts";
import { originalKey, type SignatureScheme, standardKey } from "./signing-key.ts";
import { WEBHOOK_HEADERS } from "./webhook-headers.ts";
import type { WebhookVersion } from "./webhook-version.ts";

/** An event to sign, for tests. Only `type` is required. */
export interface EventToSign<Type extends string = string> {
  /** The type. A test may use one that the version does not know. */
  readonly type: Type | (string & Record<never, never>);
  /** Any JSON value. Defaults to null. */
  readonly data?: unknown;
  /** The id. Defaults to a random one. */
  readonly id?: string | undefined;
  /** The time at which the event was created. Defaults to now. */
  readonly timestamp?: string | undefined;
  /** The API version. Defaults to that of the entry point. */
  readonly api_version?: string | undefined;
}

/** Options for `signWebhook`. */
export interface SignWebhookOptions {
  /** The secret of the endpoint. */
  readonly secret: string;
  /** The scheme. Defaults to `standard`. */
  readonly scheme?: SignatureScheme | undefined;
  /** The time of signing. Defaults to now. */
  readonly signedAt?: Date | undefined;
}

/** A signed delivery. It can be passed to `verifyWebhook`, or be sent as a request. */
export interface SignedWebhook {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const check = new OptionChecks("signWebhook");

/** Signs an event for the entry point of a version. */
export async function signForVersion(
  version: WebhookVersion,
  event: EventToSign,
  options: SignWebhookOptions,
): Promise<SignedWebhook> {
  check.fields("options", options, ["secret", "scheme", "signedAt"]);
  const { type } = check.object("event", event);
  check.must(typeof type === "string", "event.type", "be a string", type);
  const { id = `evt_${crypto.randomUUID()}`, api_version = version.name } = event;
  const timestamp = signingTime(options.signedAt);
  const body = bodyOf(event, api_version);
  const signature = `${SIGNATURE_LABEL},${await hmac(keyOf(options))(signedText({ id, timestamp, body }))}`;
  return { body, headers: headersOf(id, timestamp, signature, api_version) };
}

function headersOf(id: string, timestamp: number, signature: string, version: string): Record<string, string> {
  return {
    "content-type": "application/json",
    [WEBHOOK_HEADERS.id]: id,
    [WEBHOOK_HEADERS.timestamp]: String(timestamp),
    [WEBHOOK_HEADERS.signature]: signature,
    [WEBHOOK_HEADERS.version]: version,
  };
}

function signingTime(signedAt: Date = new Date()): number {
  const time = Number(signedAt);
  if (Number.isFinite(time)) return Math.floor(time / 1000);
  throw check.fail("signedAt", "must be a valid date");
}

function bodyOf({ type, data = null, timestamp }: EventToSign, api_version: string): string {
  const created = timestamp ?? new Date().toISOString().replace("Z", "000Z");
  try {
    return JSON.stringify({ type, timestamp: created, api_version, data });
  } catch {
    throw check.fail("event.data", "must be a JSON value");
  }
}

function keyOf({ secret, scheme = "standard" }: SignWebhookOptions): Uint8Array<ArrayBuffer> {
  check.secret("secret", secret);
  const isOriginal = scheme === "original";
  check.must(isOriginal || scheme === "standard", "scheme", 'be "standard" or "original"', scheme, describeValue);
  const key = isOriginal ? originalKey(secret) : standardKey(secret);
  if (key) return key;
  throw check.fail("secret", 'must be base64 after "whsec_"; for other secrets, pass scheme: "original"');
}
