import { WebhookVerificationError } from "../errors/webhook-verification-error.ts";
import { bodyChanged } from "./body-errors.ts";
import type { Hmac } from "./hmac.ts";
import { malformedHeader, type SignatureHeaders } from "./read-headers.ts";
import { SIGNATURE_LABEL, type SignedParts, signedText } from "./sign.ts";
import { WEBHOOK_HEADERS } from "./webhook-headers.ts";

const PREFIX = `${SIGNATURE_LABEL},`;

/**
 * Checks that one of the keys gives one of the signatures of a delivery.
 *
 * @throws {@link WebhookVerificationError} if none does.
 */
export async function checkSignature(
  { id, timestamp, signature }: SignatureHeaders,
  body: string,
  keys: readonly Hmac[],
): Promise<void> {
  const given = signaturesIn(signature);
  if (await matches({ id, timestamp, body }, given, keys)) return;
  const compact = withoutWhitespace(body);
  const isChanged = compact !== body && (await matches({ id, timestamp, body: compact }, given, keys));
  throw isChanged ? bodyChanged() : mismatch();
}

/** Returns the signatures in a header. `Headers` joins repeated headers with commas. */
function signaturesIn(header: string): readonly string[] {
  const all = header.split(/\s+/).map((each) => each.replace(/,$/, ""));
  const given = all.filter((each) => each.startsWith(PREFIX));
  if (given.length > 0) return given;
  throw malformedHeader(WEBHOOK_HEADERS.signature, `must contain a signature that starts with "${PREFIX}"`);
}

async function matches(parts: SignedParts, given: readonly string[], keys: readonly Hmac[]): Promise<boolean> {
  const text = signedText(parts);
  for (const hmacOf of keys) {
    const expected = PREFIX + (await hmacOf(text));
    if (given.some((each) => isEqual(each, expected))) return true;
  }
  return false;
}

/** Compares two strings in a time that does not depend on where they differ. */
function isEqual(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let i = 0; i < expected.length; i++) difference |= given.charCodeAt(i) ^ expected.charCodeAt(i);
  return difference === 0;
}

function withoutWhitespace(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}

function mismatch(): WebhookVerificationError {
  return new WebhookVerificationError(
    "signature-mismatch",
    "The signature does not match. Usual cause: the secret belongs to another endpoint, or a body parser ran first.",
  );
}
