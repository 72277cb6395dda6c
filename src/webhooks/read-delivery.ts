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

const NO_BODY = "Pass the raw body. In Express and node:http, pass toNodeListener(handler) to the route.";

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
  const { maxBodyBytes, timeout } = settings;
  if (body === null) return new Uint8Array();
  if (body === undefined) throw bodyError("body-missing", `is undefined. ${NO_BODY}`);
  const { locked, readableDidRead, readableEnded, getReader, [Symbol.asyncIterator]: iterator } = body as RawBody;
  if (bodyUsed || locked || readableDidRead || readableEnded) {
    throw bodyError("body-consumed", `was already read. ${PARSER}`);
  }
  const source: ByteSource | undefined = getReader?.call(body) ?? iterator?.call(body);
  let bytes: Uint8Array | undefined;
  try {
    const read = source && (() => readBytes(source, maxBodyBytes, bytesOf));
    bytes = read ? await finishWithin(timeout, "Reading the body", read) : bytesOf(body);
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

const OTHER_PAYLOAD =
  "The signed payload of a webhook lacks type, timestamp, api_version or data; see event.rawBody. If it is a message for " +
  'Discord or Slack, set the format of the endpoint to "raw".';

/**
 * Reads the signed body of a delivery. Fields that the payload lacks come from the headers, with a warning. The specification
 * shows little of the payload (G-ENVELOPE), so a signed delivery is not rejected because of its shape.
 *
 * @param signedAt The time of signing, in seconds since 1970.
 */
export function readEvent(id: string, signedAt: string, version: string, body: Uint8Array): AnyWebhookEvent {
  const rawBody = new TextDecoder().decode(body);
  const payload = parseBody(rawBody);
  const text = (name: string): string | undefined => {
    const value = ownField(payload, name);
    return typeof value === "string" ? value : undefined;
  };
  const [type, timestamp, api_version] = [text("type"), text("timestamp"), text("api_version")];
  const data = ownField(payload, "data");
  if ([type, timestamp, api_version, data].includes(undefined)) warnOnce(OTHER_PAYLOAD);
  const event = {
    id,
    type: type ?? "",
    timestamp: timestamp ?? new Date(Number(signedAt) * 1000).toISOString(),
    api_version: api_version ?? version,
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
  const advice = `pass versions: [${shown}], or set the endpoint's api_version to "${version}"`;
  const problem = `The event has version ${shown}, not "${version}". Import @billing-service/sdk/<version>/webhooks, ${advice}.`;
  throw new VersionMismatchError(problem, { expected: version, received: api_version });
}

/**
 * Checks the data of an event with the schema for its type, and returns the event with the schema's output.
 *
 * @throws {@link WebhookVerificationError} if the schema rejects the data, or fails.
 */
export async function checkData(event: AnyWebhookEvent, settings: VerifySettings): Promise<AnyWebhookEvent> {
  const schema = settings.schemas[event.type];
  if (!schema) return event;
  let mismatches: readonly Mismatch[];
  let cause: unknown;
  try {
    const result = await schema["~standard"].validate(event.data);
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
