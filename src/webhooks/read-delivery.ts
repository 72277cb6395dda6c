import type { StandardIssue } from "../contract/index.ts";
import { type Mismatch, VersionMismatchError } from "../errors/call-errors.ts";
import { WebhookVerificationError, type WebhookVerificationReason } from "../errors/webhook-verification-error.ts";
import { type ByteSource, cancel, readBytes, viewOf } from "../values/bytes.ts";
import { asError, describeType, describeValue, formatPath, listFirst, ownField } from "../values/describe.ts";
import { finishWithin } from "./seen.ts";
import { type VerifySettings, warnOnce } from "./settings.ts";
import { utf8 } from "./sign.ts";
import type { AnyWebhookEvent, WebhookDelivery } from "./types.ts";

const PARSER =
  "Usual cause: a body parser or request.json() ran first. In Express, register this route before express.json(). In Fastify, " +
  "add a content type parser that calls done(null).";

type RawDelivery = Pick<WebhookDelivery, "body"> & { readonly bodyUsed?: boolean };

/** How a stream of Node.js says that it was read. */
export interface NodeStream {
  readonly readableDidRead: boolean;
  readonly readableEnded: boolean;
}

/** A body that may be a stream of the web or of Node.js. */
interface RawBody extends Partial<AsyncIterable<unknown>>, Partial<NodeStream> {
  readonly getReader?: () => ReadableStreamDefaultReader;
  readonly locked?: boolean;
}

/**
 * Reads the body of a delivery.
 *
 * @throws {@link WebhookVerificationError} if the raw body is missing, was read before, is too long, or does not arrive in time.
 */
export async function readBody({ body, bodyUsed }: RawDelivery, settings: VerifySettings): Promise<Uint8Array> {
  const { maxBodyBytes, timeoutMs } = settings;
  if (body === null) return new Uint8Array();
  if (body === undefined) throw bodyError("body-missing", "is undefined; pass the raw body.");
  const { locked, readableDidRead, readableEnded, getReader, [Symbol.asyncIterator]: iterator } = body as RawBody;
  if (bodyUsed || locked || readableDidRead || readableEnded) {
    throw bodyError("body-consumed", `was already read. ${PARSER}`);
  }
  const source: ByteSource | undefined = getReader?.call(body) ?? iterator?.call(body);
  let bytes: Uint8Array | undefined;
  try {
    const read = source && (() => readBytes(source, maxBodyBytes, bytesOf));
    bytes = read ? await finishWithin(timeoutMs, "Reading the body", read) : bytesOf(body);
  } catch (cause) {
    if (source) cancel(source);
    throw bodyError("body-unreadable", "could not be read; see `cause`.", cause);
  }
  if (bytes && bytes.length <= maxBodyBytes) return bytes;
  if (!source && !bytes) throw bodyError("body-parsed", `must be raw; received ${describeType(body)}. ${PARSER}`);
  throw bodyError("body-too-large", `is longer than maxBodyBytes (${maxBodyBytes}).`);
}

function bodyError(reason: WebhookVerificationReason, problem: string, cause?: unknown): WebhookVerificationError {
  return new WebhookVerificationError(reason, `The body ${problem}`, { cause });
}

/** Returns the bytes of a string, whose lone surrogates become another character, or of bytes; undefined for anything else. */
function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value === "string") return utf8(value);
  const buffer = value as ArrayBuffer | null | undefined;
  return buffer?.[Symbol.toStringTag] === "ArrayBuffer" ? new Uint8Array(buffer) : viewOf(value);
}

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
 */
export function readEvent(body: Uint8Array, headers: DeliveryFacts, { version }: VerifySettings): AnyWebhookEvent {
  const rawBody = new TextDecoder().decode(body);
  const payload = parseBody(rawBody);
  const text = (name: string): string | undefined => {
    const value = ownField(payload, name);
    return typeof value === "string" ? value : undefined;
  };
  const [type, timestamp, api_version] = [text("type"), text("timestamp"), text("api_version")];
  const data = ownField(payload, "data");
  const missing = Object.entries({ type, timestamp, api_version, data }).filter(([, value]) => value === undefined);
  if (missing.length > 0) {
    const names = missing.map(([name]) => name).join(", ");
    const advice = 'see event.rawBody. For a message for Discord or Slack, set the endpoint\'s format to "raw".';
    warnOnce(`The signed payload of a webhook has no ${names}; ${advice}`);
  }
  const event = {
    id: headers.id,
    type: type ?? "",
    timestamp: timestamp ?? new Date(Number(headers.timestamp) * 1000).toISOString(),
    api_version: api_version ?? headers.version ?? version,
    data: data === undefined ? payload : data,
  };
  return withRawBody(event, rawBody);
}

/** Returns the value of a JSON string; the string itself if it is not JSON. */
function parseBody(rawBody: string): unknown {
  try {
    return JSON.parse(rawBody);
  } catch {
    return rawBody;
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
  let mismatches: readonly Mismatch[];
  let cause: unknown;
  try {
    const result = await finishWithin(settings.timeoutMs, "validate", () => schema["~standard"].validate(event.data));
    if (!result.issues) return withRawBody({ ...event, data: result.value }, event.rawBody);
    mismatches = result.issues.map(toMismatch);
  } catch (thrown) {
    cause = thrown;
    mismatches = [{ path: "data", message: `the schema failed: ${asError(thrown).message}` }];
  }
  const listed = listFirst(mismatches, ({ path, message }) => `${path}: ${message}`);
  const problem = `Your schema for "${event.type}" rejects the data: ${listed}`;
  throw new WebhookVerificationError("invalid-data", problem, { mismatches, cause });
}

function toMismatch({ path = [], message }: StandardIssue): Mismatch {
  const keys = path.map((each) => (typeof each === "object" ? each.key : each));
  return { path: formatPath(["data", ...keys]), message: String(message) };
}
