import type { StandardIssue } from "../contract/index.ts";
import { type Mismatch, VersionMismatchError } from "../errors/call-errors.ts";
import { WebhookVerificationError } from "../errors/webhook-verification-error.ts";
import { asError, describeValue, formatPath, listFirst, ownField } from "../values/describe.ts";
import { finishWithin } from "./seen.ts";
import { type VerifySettings, warnOnce } from "./settings.ts";
import type { AnyWebhookEvent } from "./webhook-event.ts";

/** The maximum number of mismatches in an error. */
const MAX_MISMATCHES = 100;

const OTHER_FORMAT = 'The endpoint sends messages for Discord or Slack; set its format to "raw".';

/** What the headers of a delivery say about its event. */
interface DeliveryFacts {
  readonly id: string;
  /** The time of signing, in seconds since 1970. */
  readonly timestamp: string;
  readonly version: string | undefined;
}

/**
 * Reads the signed body of a delivery. What the payload lacks comes from the headers, with a warning: the specification shows
 * little of the payload (G-ENVELOPE), so another shape is no reason to reject what the service has signed.
 *
 * @throws {@link WebhookVerificationError} if the body is not JSON, or a message for Discord or Slack.
 */
export function readEvent(rawBody: string, headers: DeliveryFacts, { version }: VerifySettings): AnyWebhookEvent {
  const payload = parseBody(rawBody);
  const text = (name: string): string | undefined => {
    const value = ownField(payload, name);
    return typeof value === "string" ? value : undefined;
  };
  const envelope = { type: text("type"), timestamp: text("timestamp"), api_version: text("api_version") };
  const data = ownField(payload, "data");
  // Payloads for Discord have `content` and `embeds`, those for Slack `text` and `blocks`.
  if (envelope.type === undefined && ["embeds", "blocks"].some((name) => Array.isArray(ownField(payload, name)))) {
    throw new WebhookVerificationError("unsupported-format", OTHER_FORMAT);
  }
  const missing = Object.entries({ ...envelope, data }).flatMap(([name, value]) => (value === undefined ? name : []));
  if (missing[0]) warnOnce(`The signed payload of a webhook has no ${missing.join(", ")}; see event.rawBody.`);
  const event = {
    id: headers.id,
    type: envelope.type ?? "",
    timestamp: envelope.timestamp ?? new Date(Number(headers.timestamp) * 1000).toISOString(),
    api_version: envelope.api_version ?? headers.version ?? version,
    data: data === undefined ? payload : data,
  };
  return withRawBody(event, rawBody);
}

function parseBody(rawBody: string): unknown {
  try {
    return JSON.parse(rawBody);
  } catch (cause) {
    throw new WebhookVerificationError("not-json", "The signed body is not JSON.", { cause });
  }
}

/** Adds `rawBody`, which is not enumerable: a log or a queue must not contain the data twice. */
function withRawBody(event: Omit<AnyWebhookEvent, "rawBody">, value: string): AnyWebhookEvent {
  return Object.defineProperty(event, "rawBody", { value }) as AnyWebhookEvent;
}

/**
 * Checks the version of an event.
 *
 * @throws {@link VersionMismatchError} if it is not allowed.
 */
export function checkVersion({ api_version }: AnyWebhookEvent, { version, versions }: VerifySettings): void {
  if (versions.includes(api_version)) return;
  const shown = describeValue(api_version);
  throw new VersionMismatchError(
    `The event has version ${shown}, not "${version}". Import @billing-service/sdk/<version>/webhooks, pass ` +
      `versions: [${shown}], or set the endpoint's api_version to "${version}".`,
    { expected: version, received: api_version },
  );
}

/**
 * Checks the data of an event with the schema for its type, and returns the event with the schema's output.
 *
 * @throws {@link WebhookVerificationError} if the schema rejects the data, or fails.
 */
export async function checkData(event: AnyWebhookEvent, settings: VerifySettings): Promise<AnyWebhookEvent> {
  const schema = settings.schemas.get(event.type);
  if (!schema) return event;
  const invalid = (problem: string, mismatches: readonly Mismatch[], cause?: unknown) =>
    new WebhookVerificationError("invalid-data", `Your schema for "${event.type}" ${problem}`, { mismatches, cause });
  let mismatches: readonly Mismatch[];
  let count: number;
  try {
    const result = await finishWithin(settings.timeoutMs, "validate", () => schema["~standard"].validate(event.data));
    if (!result.issues) return withRawBody({ ...event, data: result.value }, event.rawBody);
    count = result.issues.length;
    mismatches = result.issues.slice(0, MAX_MISMATCHES).map(toMismatch);
  } catch (thrown) {
    const cause = asError(thrown);
    throw invalid("failed; see `cause`.", [{ path: "data", message: `the schema failed: ${cause.message}` }], cause);
  }
  const listed = listFirst(mismatches, ({ path, message }) => `${path}: ${message}`, count);
  throw invalid(`rejects the data: ${listed}`, mismatches);
}

function toMismatch({ path = [], message }: StandardIssue): Mismatch {
  const keys = path.map((each) => (typeof each === "object" ? each.key : each));
  return { path: formatPath(["data", ...keys]), message: String(message) };
}
