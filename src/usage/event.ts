import type { CallOptions } from "../client/options.ts";
import { type Checks, checkedJson } from "../errors/checks.ts";
import { describeValue } from "../values/describe.ts";

/** The fields of a usage event that this package reads. Each version's event type has more. */
export interface UsageEvent {
  readonly name: string;
  /** Your own identifier of the event. Defaults to a version 7 UUID. */
  readonly external_id?: string | undefined;
}

/** The part of a client that sends usage events. Every version's client has it. */
export interface UsageClient<Event extends UsageEvent = UsageEvent> {
  readonly events: {
    ingest(
      events: readonly Event[],
      options?: CallOptions,
    ): PromiseLike<{ readonly inserted: number; readonly duplicates: number }>;
  };
}

/** One problem with an event, found by the service (422) or by a check before sending. */
export interface EventProblem {
  /** The path of the invalid field, for example `metadata.pages`; empty for the event as a whole. */
  readonly path: string;
  /** A human-readable message. */
  readonly message: string;
  /** The type in the 422, for example `missing`; for a check before sending, `too_large` or `invalid`. */
  readonly type: string;
}

/** An event that will not be stored. */
export interface RejectedEvent<Event extends UsageEvent = UsageEvent> {
  /** The event as it was sent. If it could not be sent, the value that you passed, or the outbox's contents. */
  readonly event: Event;
  readonly problems: readonly EventProblem[];
}

/**
 * Checks a client.
 *
 * @throws {@link InvalidInputError} unless it has `events.ingest`.
 */
export function checkClient(check: Checks, client: unknown): void {
  const { events } = (client ?? {}) as { readonly events?: { readonly ingest?: unknown } };
  const isClient = typeof events?.ingest === "function";
  check.must(isClient, "client", "be a client, as returned by createClient", client);
}

/** The size of `{"events":[]}`, around the events of a request. */
export const ENVELOPE_BYTES = 13;

/** The maximum size of an event, in bytes: a request has at most 10 MiB (G-BODY-MAX). */
export const MAX_EVENT_BYTES: number = 10 * 1024 * 1024 - ENVELOPE_BYTES;

/**
 * Serializes an event, so that later changes to the object have no effect, and assigns an `external_id` if it has none.
 * Checks only what the events of every version have in common; the service checks the rest.
 *
 * @returns The JSON, and its size in UTF-8 in bytes.
 * @throws {@link InvalidInputError} unless the event is an object that JSON can represent, with a `name`, and fits into
 * a request.
 */
export function serializeEvent(check: Checks, event: unknown): { readonly json: string; readonly bytes: number } {
  const fields = check.object("event", event) as Readonly<Record<string, unknown>>;
  // JSON leaves out what a class inherits, or returns from a getter. A plain object may be of another realm.
  const prototype = Object.getPrototypeOf(fields);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain || "toJSON" in fields) throw check.fail("event", "must be a plain object, without toJSON");
  const isIdAssigned = fields["external_id"] === undefined;
  const { name, external_id: id = "assigned" } = fields;
  check.must(typeof name === "string", "event.name", "be a string", name, describeValue);
  check.must(typeof id === "string" && id !== "", "event.external_id", "be a non-empty string", id, describeValue);
  const written = checkedJson(check, "event", fields);
  const json = isIdAssigned ? `{"external_id":"${uuidV7()}",${written.slice(1)}` : written;
  const bytes = byteLength(json);
  if (bytes <= MAX_EVENT_BYTES) return { json, bytes };
  throw check.fail("event", `has ${bytes} bytes as JSON; the maximum is ${MAX_EVENT_BYTES}`);
}

/** Returns the total size of events, in bytes. */
export function sizeOf(events: readonly { readonly bytes: number }[]): number {
  return events.reduce((sum, { bytes }) => sum + bytes, 0);
}

const NOT_ASCII = /[^\0-\x7f]/;
const utf8 = new TextEncoder();

/** Returns the size of a string in UTF-8, in bytes. */
function byteLength(text: string): number {
  return NOT_ASCII.test(text) ? utf8.encode(text).length : text.length;
}

/** Returns a new UUID of version 7 (RFC 9562, section 5.7). It begins with the time, so that identifiers sort by time. */
export function uuidV7(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
