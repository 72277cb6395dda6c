import { bodyConsumed } from "./body-errors.ts";
import { checkData } from "./check-data.ts";
import { checkSignature } from "./check-signature.ts";
import { checkTimestamp } from "./check-timestamp.ts";
import { OptionChecks } from "./option-checks.ts";
import { type AnyWebhookEvent, readEvent } from "./read-event.ts";
import { readHeaders } from "./read-headers.ts";
import { readRawBody } from "./read-raw-body.ts";
import type { VerifyOptions } from "./verify-options.ts";
import { VERIFY_OPTIONS, type VerifySettings, verifySettings } from "./verify-settings.ts";
import type { WebhookDelivery } from "./webhook-delivery.ts";
import type { EventOf, SchemasOf } from "./webhook-event.ts";
import type { WebhookVersion } from "./webhook-version.ts";

const check = new OptionChecks("verifyWebhook");

/** Verifies a delivery for the entry point of a version. */
export async function verifyForVersion<Type extends string, Schemas extends SchemasOf<Type>>(
  version: WebhookVersion<Type>,
  delivery: Request | WebhookDelivery,
  options: VerifyOptions<Type, Schemas>,
): Promise<EventOf<Type, Schemas>> {
  check.fields("options", options, VERIFY_OPTIONS);
  check.object("delivery.headers", check.object("delivery", delivery).headers);
  const event = await verifyDelivery(delivery, verifySettings(version, options, check));
  return event as EventOf<Type, Schemas>;
}

/** Verifies a delivery with checked options. */
export async function verifyDelivery(
  delivery: Request | WebhookDelivery,
  settings: VerifySettings,
): Promise<AnyWebhookEvent> {
  const headers = readHeaders(delivery.headers);
  checkTimestamp(headers.timestamp, settings);
  if ((delivery as Request).bodyUsed) throw bodyConsumed();
  const body = await readRawBody(delivery.body, settings.maxBodyBytes);
  await checkSignature(headers, body, settings.keys);
  return checkData(readEvent(body, headers.id, settings), settings);
}
