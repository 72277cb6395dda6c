import type { FlatIssue } from "../../src/contract/flatten-issues.ts";
import type { Reply } from "../http/reply.ts";
import { deepFreeze } from "../options/frozen.ts";
import { formatTimestamp } from "../state/clock.ts";
import type { StoredEvent } from "../state/records.ts";
import type { Tables } from "../state/state.ts";
import { canonicalId } from "../state/uuid.ts";
import { type Fields, itemsOf } from "../validation/body-check.ts";
import type { ProblemText } from "../validation/problems.ts";
import { type IngestEventsPolicy, ingestEventsDefaults } from "./ingest-events-policy.ts";
import { validateEvents } from "./ingest-events-validation.ts";
import type { OperationHandler, Success } from "./operation-handler.ts";
import { ownerOf } from "./organization-field.ts";
import type { OperationContext } from "./request-context.ts";

/** POST /v1/events/ingest (specification, section 4.2): stores every event of a batch that is not a duplicate. */
export const ingestEvents: OperationHandler = {
  normalize: (body, { bothCustomerIds }) => {
    if (bothCustomerIds === "accept") for (const event of itemsOf(body, "events")) dropExternalCustomer(event);
  },
  explain: explainCustomerFields,
  validate: validateEvents,
  handle: storeBatch,
};

/** Keeps `customer_id` of an event with both customer ids (G-EVT-BOTH). */
function dropExternalCustomer(event: Fields): void {
  if ("customer_id" in event && typeof event["external_customer_id"] === "string") delete event["external_customer_id"];
}

/** Describes the second customer id of an event, which the contract excludes with the type `never` (G-EVT-BOTH). */
function explainCustomerFields({ issue, input }: FlatIssue): ProblemText | undefined {
  if (input === undefined || issue.code !== "invalid_type" || issue.expected !== "never") return undefined;
  return { type: "value_error", msg: "Give customer_id or external_customer_id, not both" };
}

type SentEvent = Pick<StoredEvent, "name"> & Partial<Omit<StoredEvent, "id" | "ingested_at">>;

function sentEvents({ body }: OperationContext): readonly SentEvent[] {
  return (body as { readonly events: readonly SentEvent[] }).events;
}

/** The events of a batch that are not duplicates, as they will be stored. */
interface NewEvents {
  readonly events: Map<string, StoredEvent>;
  /** The ids of the events that have a duplicate key, by that key (G-EVT-DUP). */
  readonly keys: Map<string, string>;
}

function newEvents(context: OperationContext): NewEvents {
  const { tables, ids } = context.state;
  const complete = completion(context);
  const keyOf = duplicateKey(context.policy);
  const events = new Map<string, StoredEvent>();
  const keys = new Map<string, string>();
  for (const sent of sentEvents(context)) {
    const event = complete(sent, ids.uuid());
    const key = keyOf(event);
    if (key !== undefined) {
      const place = `${event.organization_id} ${key}`;
      if (keys.has(place) || tables.eventKeys.has(place)) continue;
      keys.set(place, event.id);
    }
    events.set(event.id, event);
  }
  return { events, keys };
}

/** Returns the function that decides on duplicates. A custom one gets frozen events. */
function duplicateKey({ duplicateKey: chosen }: IngestEventsPolicy): IngestEventsPolicy["duplicateKey"] {
  return chosen === ingestEventsDefaults.duplicateKey ? chosen : (event) => chosen(deepFreeze(event));
}

/** Returns the function that fills in what the service adds to an event. */
function completion(context: OperationContext): (sent: SentEvent, id: string) => StoredEvent {
  const now = formatTimestamp(context.receivedAt);
  const usual = ownerOf(undefined, context);
  return (sent, id) => {
    const owner = sent.organization_id === undefined ? usual : ownerOf(sent.organization_id, context);
    return storedEvent(sent, id, owner as string, now);
  };
}

/** The spread comes first: after other fields it takes many times as long when events have different fields. */
function storedEvent(sent: SentEvent, id: string, organization_id: string, now: string): StoredEvent {
  const event: StoredEvent & { customer_id?: string } = {
    ...sent,
    timestamp: sent.timestamp ?? now,
    metadata: sent.metadata ?? NO_METADATA,
    id,
    ingested_at: now,
    organization_id,
  };
  if (event.customer_id !== undefined) event.customer_id = canonicalId(event.customer_id);
  // Its values are frozen when they are handed out.
  return Object.freeze(event);
}

const NO_METADATA = Object.freeze({});

function storeBatch(context: OperationContext): Success | Reply {
  const { tables, limits } = context.state;
  const { events, keys } = newEvents(context);
  const size = sentEvents(context).length;
  const inserted = events.size;
  const bytes = storedBytes(tables) + inserted * (BYTES_PER_EVENT + (context.bodyBytes ?? 0) / size);
  if (tables.events.size + inserted > limits.maxEvents) return storageFull(`${limits.maxEvents} events`, "maxEvents");
  if (bytes > limits.maxEventBytes)
    return storageFull(`about ${limits.maxEventBytes} bytes of events`, "maxEventBytes");
  const commit = () => {
    tables.eventKeys.addAll(keys);
    tables.events.addAll(events);
    if (inserted > 0) tables.eventBytes.set(TOTAL, bytes);
  };
  return { data: { inserted, duplicates: size - inserted }, status: context.policy.ingestStatus, commit };
}

/** The approximate memory of an event in addition to what was sent, in bytes. */
const BYTES_PER_EVENT = 400;

/** The key of the only row of `eventBytes`. */
const TOTAL = "total";

function storedBytes({ eventBytes }: Tables): number {
  return eventBytes.get(TOTAL) ?? 0;
}

const OPTIONS = { maxEvents: "--max-events", maxEventBytes: "--max-event-bytes" } as const;

/** Returns a 507, after which nothing of the batch is stored (RFC 4918, section 11.5; G-STORE). */
function storageFull(limit: string, option: keyof typeof OPTIONS): Reply {
  const detail = `The mock stores at most ${limit}. Reset it, or raise ${option} (${OPTIONS[option]}).`;
  return { status: 507, body: { error: "InsufficientStorage", detail } };
}
