import { type Loss, lossIn } from "../client/body.ts";
import type { CallOptions } from "../client/options.ts";
import { describeType, describeValue, formatPath } from "../errors/describe-value.ts";
import { InvalidInputError } from "../errors/index.ts";
import type { OutboxEvent } from "./outbox/index.ts";

/** The fields of a usage event that this package reads. The type of a version's events has more. */
export interface UsageEvent {
  readonly name: string;
  /** Your own identifier of the event. Without one, a UUID of version 7 is added. */
  readonly external_id?: string | undefined;
}

/** An event of any version, with any fields. */
export type AnyUsageEvent = UsageEvent | (UsageEvent & { readonly [field: string]: unknown });

/** The part of a client that sends usage events. The client of every version has it. */
export interface UsageClient<Event extends UsageEvent = UsageEvent> {
  readonly events: {
    ingest(
      events: readonly Event[],
      options?: CallOptions,
    ): PromiseLike<{ readonly inserted: number; readonly duplicates: number }>;
  };
}

/** One problem of an event, from a 422 of the service or from a check before sending. */
export interface EventProblem {
  /** The path of the invalid field, for example `metadata.pages`; empty for the event as a whole. */
  readonly path: string;
  /** A human-readable message. */
  readonly message: string;
  /** The machine-readable type of a 422, for example `missing`; `too_large` or `invalid` for a check before sending. */
  readonly type: string;
}

/** An event that will not be stored. */
export interface RejectedEvent<Event extends UsageEvent = UsageEvent> {
  /** The event as it was sent; the given value, or the contents of the outbox, if it could not be sent. */
  readonly event: Event;
  readonly problems: readonly EventProblem[];
}

/**
 * Checks a client.
 *
 * @throws {@link InvalidInputError} unless it has `events.ingest`.
 */
export function checkClient<Client>(client: Client, caller: string): Client {
  const { events } = (client ?? {}) as { readonly events?: { readonly ingest?: unknown } };
  if (typeof events?.ingest === "function") return client;
  const problem = `must be a client, as returned by createClient; received ${describeType(client)}`;
  throw new InvalidInputError("client", problem, { caller });
}

/** The size of `{"events":[]}`, around the events of a request. */
export const ENVELOPE_BYTES = 13;

/** The maximum size of an event, in bytes: a request has at most 10 MiB (G-BODY-MAX). */
export const MAX_EVENT_BYTES: number = 10 * 1024 * 1024 - ENVELOPE_BYTES;

/** An event as JSON. */
export interface SerializedEvent extends OutboxEvent {
  /** Whether the event had no `external_id` and got one. */
  readonly isIdAssigned: boolean;
}

/**
 * Serializes an event, so that later changes to the object have no effect, and assigns an `external_id` if it has none.
 *
 * @throws {@link InvalidInputError} unless the event is an object that JSON can represent, with a `name`, and at most
 * {@link MAX_EVENT_BYTES} long.
 */
export function serializeEvent(event: unknown, caller: string): SerializedEvent {
  const fields = checkFields(event, caller);
  const isIdAssigned = fields["external_id"] === undefined;
  const written = stringify(fields, caller);
  const json = isIdAssigned ? `{"external_id":"${uuidV7()}",${written.slice(1)}` : written;
  const bytes = byteLength(json);
  if (bytes <= MAX_EVENT_BYTES) return { json, bytes, isIdAssigned };
  throw invalid("", `has ${bytes} bytes as JSON; the maximum is ${MAX_EVENT_BYTES}`, caller);
}

/** Checks only what the events of every version have in common. The service checks the rest. */
function checkFields(event: unknown, caller: string): Readonly<Record<string, unknown>> {
  if (typeof event !== "object" || event === null || Array.isArray(event))
    throw invalid("", `must be an object; received ${describeType(event)}`, caller);
  if ("toJSON" in event) throw invalid("", "must be a plain object, without toJSON", caller);
  const own = event as Record<string, unknown>;
  checkString(own, "name", true, caller);
  checkString(own, "external_id", false, caller);
  return own;
}

/** JSON has only properties that are own and enumerable. */
function checkString(event: Record<string, unknown>, field: string, isRequired: boolean, caller: string): void {
  const value = event[field];
  if (value === undefined && !isRequired) return;
  const isWritten = Object.prototype.propertyIsEnumerable.call(event, field);
  if (typeof value === "string" && value !== "" && isWritten) return;
  if (typeof value === "string" && value !== "")
    throw invalid(`.${field}`, "must be an own, enumerable property", caller);
  throw invalid(`.${field}`, `must be a non-empty string; received ${describeValue(value)}`, caller);
}

function stringify(event: object, caller: string): string {
  let loss: Loss | undefined;
  let json: string;
  try {
    json = JSON.stringify(event);
    loss = lossIn(event, true);
  } catch (cause) {
    throw new InvalidInputError("event", "cannot be serialized as JSON; see `cause`", { caller, cause });
  }
  if (loss === undefined) return json;
  throw new InvalidInputError(formatPath(["event", ...loss.path]), loss.problem, { caller });
}

function invalid(path: string, problem: string, caller: string): InvalidInputError {
  return new InvalidInputError(`event${path}`, problem, { caller });
}

const NOT_ASCII = /[^\0-\x7f]/;
const utf8 = new TextEncoder();

/** Returns the size of a string in UTF-8, in bytes. */
function byteLength(text: string): number {
  return NOT_ASCII.test(text) ? utf8.encode(text).length : text.length;
}

/** Returns a new UUID of version 7 (RFC 9562, section 5.7). It begins with the time, so that identifiers sort by time. */
function uuidV7(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
