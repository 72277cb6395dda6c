import type { FlatIssue } from "../../src/contract/flatten-issues.ts";
import type { Reply } from "../http/reply.ts";
import { formatTimestamp } from "../state/clock.ts";
import type { StoredEvent } from "../state/records.ts";
import { canonicalId } from "../state/uuid.ts";
import { type Fields, itemsOf } from "../validation/leniency.ts";
import type { ProblemText } from "../validation/problem.ts";
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

function storeBatch(context: OperationContext): Success | Reply {
  const { events } = context.body as { readonly events: readonly SentEvent[] };
  const { tables, maxEvents } = context.state;
  let inserted = 0;
  for (const sent of events) {
    if (store(storedEvent(sent, context), context)) inserted += 1;
    if (tables.events.size > maxEvents) return storageFull(maxEvents);
  }
  return { data: { inserted, duplicates: events.length - inserted }, status: context.policy.ingestStatus };
}

/** Returns a 507, after which nothing of the batch is stored (RFC 4918, section 11.5). */
function storageFull(maxEvents: number): Reply {
  const detail = `The mock stores at most ${maxEvents} events. Reset it, or raise maxEvents (--max-events).`;
  return { status: 507, body: { error: "InsufficientStorage", detail } };
}

/** Stores an event; returns false for a duplicate (G-EVT-DUP). */
function store(event: StoredEvent, { state: { tables }, policy }: OperationContext): boolean {
  const key = policy.duplicateKey(event);
  const place = `${event.organization_id} ${key}`;
  if (key !== undefined && tables.eventKeys.has(place)) return false;
  if (key !== undefined) tables.eventKeys.set(place, event.id);
  tables.events.set(event.id, event);
  return true;
}

/** The spread comes first: after other fields it takes many times as long when events have different fields. */
function storedEvent(sent: SentEvent, context: OperationContext): StoredEvent {
  const now = formatTimestamp(context.receivedAt);
  const event: StoredEvent & { customer_id?: string } = {
    ...sent,
    timestamp: sent.timestamp ?? now,
    metadata: sent.metadata ?? {},
    id: context.state.ids.uuid(),
    ingested_at: now,
    organization_id: ownerOf(sent.organization_id, context) as string,
  };
  if (event.customer_id !== undefined) event.customer_id = canonicalId(event.customer_id);
  // The values of the event are frozen when it is read.
  return Object.freeze(event);
}
