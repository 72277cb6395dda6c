import { describeType, describeValue } from "../errors/describe-value.ts";
import { VersionMismatchError } from "../errors/mismatch-error.ts";
import { WebhookVerificationError, type WebhookVerificationReason } from "../errors/webhook-verification-error.ts";
import type { VerifySettings } from "./verify-settings.ts";
import type { KnownWebhookEvent } from "./webhook-event.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An event of any type, known or not. */
export type AnyWebhookEvent = KnownWebhookEvent<string>;

/**
 * Reads the signed body of a delivery.
 *
 * @throws {@link WebhookVerificationError} unless it is an event in the format `raw`.
 * @throws {@link VersionMismatchError} if the event has a version that is not allowed.
 */
export function readEvent(body: string, id: string, settings: VerifySettings): AnyWebhookEvent {
  const payload = readObject(body);
  if (isChatMessage(payload)) throw unsupportedFormat();
  const { type, timestamp, api_version, data } = payload;
  if (typeof api_version === "string") checkVersion(api_version, settings);
  const event = { id, type, timestamp, api_version, data };
  for (const name of ["type", "timestamp", "api_version"] as const) {
    if (typeof event[name] !== "string") throw invalid("invalid-payload", `must have a string in the field "${name}"`);
  }
  if (!Object.hasOwn(payload, "data")) throw invalid("invalid-payload", 'has no "data" field');
  return event as AnyWebhookEvent;
}

function readObject(body: string): Fields {
  const value = parse(body);
  if (describeType(value) === "object") return value as Fields;
  throw invalid("invalid-payload", "is not an object");
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw invalid("not-json", "is not JSON", cause);
  }
}

/** Recognizes the payloads of Discord (`content`, `embeds`) and of Slack (`text`, `blocks`). */
function isChatMessage({ type, embeds, blocks }: Fields): boolean {
  return type === undefined && (Array.isArray(embeds) || Array.isArray(blocks));
}

function checkVersion(received: string, { version, versions }: VerifySettings): void {
  if (versions.includes(received)) return;
  const shown = describeValue(received);
  throw new VersionMismatchError(
    `The event has version ${shown}, not "${version}". Import @billing-service/sdk/<version>/webhooks, pass ` +
      `versions: [${shown}], or set the endpoint's api_version to "${version}".`,
    { expected: version, received },
  );
}

function invalid(reason: WebhookVerificationReason, problem: string, cause?: unknown): WebhookVerificationError {
  const message = `The signed body ${problem}. An event is {"type", "timestamp", "api_version", "data"}.`;
  return new WebhookVerificationError(reason, message, { cause });
}

function unsupportedFormat(): WebhookVerificationError {
  return new WebhookVerificationError(
    "unsupported-format",
    'The endpoint sends messages for Discord or Slack; set its format to "raw".',
  );
}
