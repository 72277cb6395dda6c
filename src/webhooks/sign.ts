import { SECRET_PREFIX } from "../client/redact.ts";
import { Checks, checkedJson } from "../errors/checks.ts";
import { describeType } from "../values/describe.ts";

/**
 * A scheme for signing deliveries. Both schemes sign the same text with HMAC-SHA256; only the key differs.
 *
 * - `standard`: the key is decoded from the base64 after the secret's prefix (Standard Webhooks).
 * - `original`: the key is the complete secret, including its prefix, in UTF-8 (specification, section 2.1).
 */
export type SignatureScheme = "standard" | "original";

/**
 * Names of the headers of a delivery. `webhook-api-version` comes from the specification (section 6), the others from
 * Standard Webhooks (G-SIGN).
 */
export const WEBHOOK_HEADERS = {
  /** The event's id. It is the same in every attempt and redelivery, so that a receiver can detect duplicates. */
  id: "webhook-id",
  /** The time when the attempt was signed, in seconds since 1970. */
  timestamp: "webhook-timestamp",
  /** The signature: `v1,` and the base64 of the HMAC. Several signatures are separated by spaces. */
  signature: "webhook-signature",
  /** The API version of the payload. */
  version: "webhook-api-version",
} as const;

/** The prefix of the signatures of both schemes (Standard Webhooks). */
export const SIGNATURE_PREFIX = "v1,";

/**
 * Minimum number of characters after the prefix of a secret. Whoever guesses a shorter one, such as "whsec_undefined", could
 * sign.
 */
const MIN_SECRET = 16;

/** The parts of a delivery that its signature covers. */
export interface SignedParts {
  /** The event's id, `webhook-id`. */
  readonly id: string;
  /** The time of signing in seconds since 1970, `webhook-timestamp`. */
  readonly timestamp: number | string;
  /** The body, exactly as it is sent. */
  readonly body: string | Uint8Array;
}

/** Returns what both schemes sign (G-SIGN). */
export function signedBytes({ id, timestamp, body }: SignedParts): Uint8Array<ArrayBuffer> {
  const [start, end] = [utf8(`${id}.${timestamp}.`), typeof body === "string" ? utf8(body) : body];
  const bytes = new Uint8Array(start.length + end.length);
  bytes.set(start);
  bytes.set(end, start.length);
  return bytes;
}

/** Returns a string in UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Returns the base64 of the HMAC-SHA256 of bytes, for one key. */
export type Hmac = (bytes: Uint8Array<ArrayBuffer>) => string | Promise<string>;

/**
 * Prepares a key for HMAC-SHA256. It uses Web Crypto, or the runtime's synchronous `node:crypto` where there is one: for a
 * short body, waiting for Web Crypto takes several times as long as the HMAC itself. `node:crypto` is looked up without
 * an import, so that bundles for browsers have none.
 */
export function hmac(key: Uint8Array<ArrayBuffer>): Hmac {
  try {
    const node = globalThis.process.getBuiltinModule("node:crypto");
    const secret = node.createSecretKey(key);
    return (bytes) => node.createHmac("sha256", secret).update(bytes).digest("base64");
  } catch {
    // Also Next.js's Edge runtime, where every function of `process` throws.
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const imported = crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
    return async (bytes) => {
      const signature = await crypto.subtle.sign("HMAC", await imported, bytes);
      return btoa(String.fromCharCode(...new Uint8Array(signature)));
    };
  }
}

/**
 * Signs a delivery, and returns its headers (specification, section 6; G-SIGN). In browsers it needs HTTPS or localhost, since
 * they provide Web Crypto only there.
 */
export async function signedHeaders(
  { api_version, ...parts }: SignedParts & { readonly api_version: string },
  key: Uint8Array<ArrayBuffer>,
): Promise<Readonly<Record<string, string>>> {
  return {
    "content-type": "application/json",
    [WEBHOOK_HEADERS.id]: parts.id,
    [WEBHOOK_HEADERS.timestamp]: String(parts.timestamp),
    [WEBHOOK_HEADERS.signature]: `${SIGNATURE_PREFIX}${await hmac(key)(signedBytes(parts))}`,
    [WEBHOOK_HEADERS.version]: api_version,
  };
}

/** Returns the key of a scheme; undefined for a standard secret that is not base64. */
function keyOf(secret: string, scheme: SignatureScheme): Uint8Array<ArrayBuffer> | undefined {
  if (scheme === "original") return utf8(secret);
  // Tools also write the URL-safe alphabet.
  const base64 = secret.replace(SECRET_PREFIX, "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    return base64 === "" ? undefined : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/**
 * Returns the key of the HMAC that signs a delivery, of any length. A standard secret may omit its prefix.
 *
 * @throws TypeError if a standard secret is not base64. The message does not contain the secret.
 */
export function signingKey(secret: string, scheme: SignatureScheme): Uint8Array<ArrayBuffer> {
  const key = keyOf(secret, scheme);
  if (!key)
    throw new TypeError(`A secret of the Standard Webhooks scheme must be "${SECRET_PREFIX}" followed by base64.`);
  return key;
}

/** Characters at an end of a secret that come from where it was copied. */
const COPIED_TOO = /^[\s"'`‘’“”<>,;]|[\s"'`‘’“”<>,;]$/;

/** Returns a secret, unless it was copied with more than itself, or somebody could guess its key. No error shows its value. */
export function requireSecret(check: Checks, path: string, value: unknown): string {
  const secret = typeof value === "string" ? value : "";
  if (secret.trim() && COPIED_TOO.test(secret))
    throw check.fail(path, "must not start or end with whitespace, a quote or punctuation");
  if (secret.indexOf(SECRET_PREFIX) > 0)
    throw check.fail(path, `must start with "${SECRET_PREFIX}"; remove what precedes it`);
  if (secret.trim().replace(SECRET_PREFIX, "").length >= MIN_SECRET) return secret;
  const received = typeof value === "string" ? `fewer than ${MIN_SECRET} characters` : describeType(value);
  throw check.fail(path, `must be the endpoint's secret; received ${received}. Is its environment variable set?`);
}

/** Returns the keys of a secret: one per scheme. One that is not base64 has none of the standard scheme. */
export function secretKeys(secret: string): readonly Hmac[] {
  return [keyOf(secret, "standard"), keyOf(secret, "original")].flatMap((key) => (key ? hmac(key) : []));
}

/** The version of an entry point, as far as webhooks depend on it. */
export interface WebhookVersion<Type extends string = string> {
  /** The name of the version: `YYYY-MM`. */
  readonly name: string;
  /** The event types that the version knows. */
  readonly types: readonly Type[];
}

/** An event to sign, for tests. Only `type` is required. */
export interface EventToSign<Type extends string = string> {
  /** The event type. A test may use one that the version does not know. */
  readonly type: Type | (string & Record<never, never>);
  /** Any JSON value. Defaults to null. */
  readonly data?: unknown;
  /** The id. Defaults to a random one. */
  readonly id?: string | undefined;
  /** The time at which the event was created. Defaults to now. */
  readonly timestamp?: string | undefined;
  /** The API version. Defaults to the entry point's version. */
  readonly api_version?: string | undefined;
}

/** Options for `signWebhook`. */
export interface SignWebhookOptions {
  /** The secret of the endpoint: base64, with or without the prefix. */
  readonly secret: string;
  /** The time of signing. Defaults to now. */
  readonly signedAt?: Date | undefined;
}

/** A signed delivery. Pass it to `verifyWebhook`, or send it as a request. */
export interface SignedWebhook {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs an event for the entry point of a version. */
export async function signForVersion(
  version: WebhookVersion,
  event: EventToSign,
  options: SignWebhookOptions,
): Promise<SignedWebhook> {
  const check = new Checks({ caller: "signWebhook" });
  check.fields("options", options, ["secret", "signedAt"]);
  const { type, data = null } = check.object("event", event);
  check.must(typeof type === "string", "event.type", "be a string", type);
  const { id = `evt_${crypto.randomUUID()}`, api_version = version.name } = event;
  const time = Number(options.signedAt ?? new Date());
  if (!Number.isFinite(time)) throw check.fail("signedAt", "must be a valid date");
  const created = event.timestamp ?? new Date().toISOString().replace("Z", "000Z");
  const body = checkedJson(check, "event", { type, timestamp: created, api_version, data });
  const timestamp = Math.floor(time / 1000);
  const key = keyOf(requireSecret(check, "secret", options.secret), "standard");
  if (!key) throw check.fail("secret", `must be base64 after "${SECRET_PREFIX}"`);
  return { body, headers: await signedHeaders({ id, timestamp, body, api_version }, key) };
}
