import type { StandardIssue } from "../contract/index.ts";
import { type Mismatch, VersionMismatchError } from "../errors/call-errors.ts";
import { Checks } from "../errors/checks.ts";
import { WebhookVerificationError, type WebhookVerificationReason } from "../errors/webhook-verification-error.ts";
import { describeType, describeValue, listFirst } from "../values/describe.ts";
import { finishWithin } from "./claim-event.ts";
import type { VerifyOptions } from "./options.ts";
import { bodyError, readBody } from "./read-body.ts";
import { type AnyWebhookEvent, VERIFY_OPTIONS, type VerifySettings, verifySettings } from "./settings.ts";
import { SIGNATURE_LABEL, type SignedParts, signedText, WEBHOOK_HEADERS, type WebhookVersion } from "./sign.ts";
import type { EventOf, SchemasOf, WebhookDelivery } from "./webhook-event.ts";

/** The maximum number of characters of a header. */
const LONGEST_HEADER = 4_096;

/** The maximum number of mismatches in an error. */
const MOST_MISMATCHES = 100;

const SIGNATURE_PREFIX = `${SIGNATURE_LABEL},`;

/** Verifies a delivery for the entry point of a version. */
export async function verifyForVersion<Type extends string, Schemas extends SchemasOf<Type>>(
  version: WebhookVersion<Type>,
  delivery: Request | WebhookDelivery,
  options: VerifyOptions<Type, Schemas>,
): Promise<EventOf<Type, Schemas>> {
  const check = new Checks({ caller: "verifyWebhook" });
  const settings = verifySettings(version, check.fields("options", options, VERIFY_OPTIONS), check);
  check.object("delivery.headers", check.object("delivery", delivery).headers);
  return (await checkData(await verifyDelivery(delivery, settings), settings)) as EventOf<Type, Schemas>;
}

/**
 * Verifies a delivery with checked options, step by step. What needs no body comes first.
 *
 * @throws {@link WebhookVerificationError} if the delivery is not authentic, or cannot be read.
 * @throws {@link VersionMismatchError} if the event has a version that is not allowed.
 */
export async function verifyDelivery(
  delivery: Request | WebhookDelivery,
  settings: VerifySettings,
): Promise<AnyWebhookEvent> {
  const { id, timestamp, signature } = readHeaders(delivery.headers);
  checkTimestamp(timestamp, settings);
  const body = await readBody(delivery, settings);
  await checkSignature({ id, timestamp, body }, signature, settings);
  return readEvent(body, id, settings);
}

/** Reads the three headers that sign a delivery. */
function readHeaders(headers: object): { readonly [Name in "id" | "timestamp" | "signature"]: string } {
  const id = readHeader(headers, WEBHOOK_HEADERS.id);
  const timestamp = readHeader(headers, WEBHOOK_HEADERS.timestamp);
  if (!/^\d{1,15}$/.test(timestamp)) {
    throw malformedHeader(WEBHOOK_HEADERS.timestamp, "must be a number of seconds since 1970");
  }
  return { id, timestamp, signature: readHeader(headers, WEBHOOK_HEADERS.signature) };
}

function readHeader(headers: object, name: string): string {
  const value =
    typeof (headers as Headers).get === "function"
      ? (headers as Headers).get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const text: unknown = Array.isArray(value) ? value.filter((each) => typeof each === "string").join(" ") : value;
  if (typeof text === "string" && text && text.length <= LONGEST_HEADER) return text;
  if (!text) {
    const cause = "the request is not from the service, or a proxy removed it";
    throw new WebhookVerificationError("header-missing", `The header ${name} is missing. Usual cause: ${cause}.`);
  }
  throw malformedHeader(name, `must have at most ${LONGEST_HEADER} characters`);
}

function malformedHeader(name: string, problem: string): WebhookVerificationError {
  return new WebhookVerificationError("header-malformed", `The header ${name} ${problem}.`);
}

/** Checks that a delivery was signed recently, in seconds since 1970, so that an old one cannot be sent again. */
function checkTimestamp(timestamp: string, { now, tolerance }: VerifySettings): void {
  const age = Math.floor(Number(now()) / 1000) - Number(timestamp);
  // A clock that gives no time makes the age NaN, which is outside of every tolerance.
  if (Math.abs(age) <= tolerance) return;
  const [reason, when, cause] =
    age > 0
      ? (["timestamp-too-old", `${age} s ago`, "fast, or the request is old"] as const)
      : (["timestamp-too-new", `${-age} s in the future`, "slow"] as const);
  throw new WebhookVerificationError(
    reason,
    `The delivery was signed ${when}; the tolerance is ${tolerance} s. Usual cause: this machine's clock is ${cause}. ` +
      "With a mock, pass now: mock.clock.now.",
  );
}

/** Checks that one of the keys gives one of the signatures in a header. `Headers` joins repeated headers with commas. */
async function checkSignature(parts: SignedParts, header: string, { keys }: VerifySettings): Promise<void> {
  const all = header.split(/\s/).map((each) => each.replace(/,$/, ""));
  const given = all.filter((each) => each.startsWith(SIGNATURE_PREFIX));
  if (!given[0]) {
    throw malformedHeader(WEBHOOK_HEADERS.signature, `must contain a signature that starts with "${SIGNATURE_PREFIX}"`);
  }
  const isSigned = async (body: string): Promise<boolean> => {
    const text = signedText({ ...parts, body });
    for (const hmacOf of keys) {
      const expected = SIGNATURE_PREFIX + (await hmacOf(text));
      if (given.some((each) => isEqual(each, expected))) return true;
    }
    return false;
  };
  if (await isSigned(parts.body)) return;
  if (await isSigned(withoutWhitespace(parts.body))) {
    throw bodyError("body-changed", "was parsed and serialized again. Pass the raw body.");
  }
  throw new WebhookVerificationError(
    "signature-mismatch",
    "The signature does not match. Usual cause: the secret belongs to another endpoint, or a body parser ran first.",
  );
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

/** Reads the signed body of a delivery: an event in the format `raw`. */
function readEvent(body: string, id: string, { version, versions }: VerifySettings): AnyWebhookEvent {
  let payload: Readonly<Record<string, unknown>>;
  try {
    payload = JSON.parse(body);
  } catch (cause) {
    throw invalidPayload("not-json", "is not JSON", cause);
  }
  if (describeType(payload) !== "object") throw invalidPayload("invalid-payload", "is not an object");
  const { type, timestamp, api_version, data } = payload;
  // Payloads for Discord have `content` and `embeds`, those for Slack `text` and `blocks`.
  if (type === undefined && (Array.isArray(payload["embeds"]) || Array.isArray(payload["blocks"]))) {
    throw new WebhookVerificationError(
      "unsupported-format",
      'The endpoint sends messages for Discord or Slack; set its format to "raw".',
    );
  }
  if (typeof api_version === "string" && !versions.includes(api_version)) {
    const shown = describeValue(api_version);
    throw new VersionMismatchError(
      `The event has version ${shown}, not "${version}". Import @billing-service/sdk/<version>/webhooks, pass ` +
        `versions: [${shown}], or set the endpoint's api_version to "${version}".`,
      { expected: version, received: api_version },
    );
  }
  for (const [name, value] of Object.entries({ type, timestamp, api_version })) {
    if (typeof value !== "string") throw invalidPayload("invalid-payload", `must have a string in the field "${name}"`);
  }
  if (!Object.hasOwn(payload, "data")) throw invalidPayload("invalid-payload", 'has no "data" field');
  return { id, type, timestamp, api_version, data } as AnyWebhookEvent;
}

function invalidPayload(reason: WebhookVerificationReason, problem: string, cause?: unknown): WebhookVerificationError {
  const message = `The signed body ${problem}. An event is {"type", "timestamp", "api_version", "data"}.`;
  return new WebhookVerificationError(reason, message, { cause });
}

/**
 * Checks the data of an event with the schema for its type, and returns the event with the schema's output.
 *
 * @throws {@link WebhookVerificationError} if the schema rejects the data, or fails.
 */
export async function checkData(
  event: AnyWebhookEvent,
  { schemas, timeoutMs }: VerifySettings,
): Promise<AnyWebhookEvent> {
  const schema = schemas.get(event.type);
  if (!schema) return event;
  let problems: string;
  let details: { readonly cause?: unknown; readonly mismatches?: readonly Mismatch[] };
  try {
    const result = await finishWithin(timeoutMs, "validate", () => schema["~standard"].validate(event.data));
    if (!result.issues) return { ...event, data: result.value };
    const mismatches = result.issues.slice(0, MOST_MISMATCHES).map(toMismatch);
    const listed = listFirst(mismatches, ({ path, message }) => `${path}: ${message}`, result.issues.length);
    problems = `rejects the data: ${listed}`;
    details = { mismatches };
  } catch (cause) {
    problems = "failed; see `cause`.";
    details = { cause };
  }
  throw new WebhookVerificationError("invalid-data", `Your schema for "${event.type}" ${problems}`, details);
}

function toMismatch({ path = [], message }: StandardIssue): Mismatch {
  const keys = path.map((each) => (typeof each === "object" ? each.key : each));
  const steps = keys.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return { path: `data${steps.join("")}`, message: String(message) };
}
