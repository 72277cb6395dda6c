import type { Reply } from "../engine/exchange.ts";
import { timestamp } from "../state/clock.ts";
import type { StoredEvent } from "../state/records.ts";
import { canonicalId } from "../state/uuid.ts";
import type { Behaviour, Call } from "./behaviour.ts";
import { ownerOf } from "./limits/owner.ts";

type SentEvent = Pick<StoredEvent, "name"> & Partial<Omit<StoredEvent, "id" | "ingested_at">>;

/** POST /v1/events/ingest (specification, section 4.2): stores every event of the batch that is no duplicate. */
export const ingestEvents: Behaviour = (call) => {
  const { events } = call.body as { readonly events: readonly SentEvent[] };
  const { tables, maxEvents } = call.state;
  let inserted = 0;
  for (const sent of events) {
    if (store(storedEvent(sent, call), call)) inserted += 1;
    if (tables.events.size > maxEvents) return storageFull(maxEvents);
  }
  return { data: { inserted, duplicates: events.length - inserted }, status: call.assumptions.ingestStatus };
};

/** 507: the mock has no room for the batch, of which nothing is stored (RFC 4918, section 11.5). */
function storageFull(maxEvents: number): Reply {
  const detail = `The mock stores at most ${maxEvents} events. Reset it, or raise maxEvents (--max-events).`;
  return { status: 507, body: { error: "InsufficientStorage", detail } };
}

/** Stores an event; false when it is a duplicate (G-EVT-DUP). */
function store(event: StoredEvent, { state: { tables }, assumptions }: Call): boolean {
  const key = assumptions.duplicateKey(event);
  const place = `${event.organization_id} ${key}`;
  if (key !== undefined && tables.eventKeys.has(place)) return false;
  if (key !== undefined) tables.eventKeys.set(place, event.id);
  tables.events.set(event.id, event);
  return true;
}

function storedEvent(sent: SentEvent, call: Call): StoredEvent {
  const now = timestamp(call.receivedAt);
  const event: StoredEvent & { customer_id?: string } = {
    timestamp: now,
    metadata: {},
    ...sent,
    id: call.state.identity.uuid(),
    ingested_at: now,
    organization_id: ownerOf(sent.organization_id, call) as string,
  };
  // A second spread in the object above would take as long as all the rest of this function.
  if (event.customer_id !== undefined) event.customer_id = canonicalId(event.customer_id);
  // What it holds is frozen when somebody asks for it.
  return Object.freeze(event);
}
