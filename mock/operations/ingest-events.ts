import type { Assumptions } from "../assumptions/assumptions.ts";
import { formatTimestamp } from "../clock/clock.ts";
import { storageFull } from "../http/error-replies.ts";
import type { Reply } from "../http/messages.ts";
import { isObject } from "../options/field-types.ts";
import type { StoredEvent } from "../state/records.ts";
import {
  fieldsOf,
  isUuid,
  type Loc,
  lengthProblem,
  type Problem,
  type ProblemList,
  tooManyProblem,
} from "../validation/problems.ts";
import {
  type Input,
  type OperationContext,
  type OperationHandler,
  organizationProblem,
  ownerOf,
  type Success,
} from "./operation.ts";

/** POST /v1/events/ingest (specification, section 4.2): stores every event of a batch that is not a duplicate. */
export const ingestEvents: OperationHandler = {
  maxItems: ({ maxBatchSize }) => maxBatchSize,
  validate: validateEvents,
  handle: storeBatch,
};

type SentEvent = Pick<StoredEvent, "name"> & Partial<Omit<StoredEvent, "id" | "ingested_at">>;

/** Returns the events of a batch that are not duplicates, as they will be stored, and the keys of those that have one. */
function newEvents(sent: readonly SentEvent[], context: OperationContext) {
  const { tables, ids } = context.state;
  const { duplicateEvents } = context.assumptions;
  const now = formatTimestamp(context.receivedAt);
  const usual = ownerOf(undefined, context);
  const events = new Map<string, StoredEvent>();
  /** The ids of the events that have an `external_id`, also an empty one, by organization and that id (G-EVT-DUP). */
  const keys = new Map<string, string>();
  for (const each of sent) {
    const owner = each.organization_id === undefined ? usual : ownerOf(each.organization_id, context);
    const event = storedEvent(each, ids.uuid(), owner as string, now);
    const key = duplicateEvents === "skip" ? event.external_id : undefined;
    if (key !== undefined) {
      const place = `${event.organization_id} ${key}`;
      if (keys.has(place) || tables.eventKeys.has(place)) continue;
      keys.set(place, event.id);
    }
    events.set(event.id, event);
  }
  return { events, keys };
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
  if (event.customer_id !== undefined) event.customer_id = event.customer_id.toLowerCase();
  // Only the outer object: nested values are frozen when they are handed out.
  return Object.freeze(event);
}

const NO_METADATA = Object.freeze({});

function storeBatch(context: OperationContext, { body }: Input): Success | Reply {
  const { tables, maxEvents } = context.state;
  const sent = (body as { readonly events: readonly SentEvent[] }).events;
  const { events, keys } = newEvents(sent, context);
  const inserted = events.size;
  if (tables.events.size + inserted > maxEvents) return storageFull(maxEvents);
  const commit = () => {
    tables.eventKeys.addAll(keys);
    tables.events.addAll(events);
  };
  return {
    data: { inserted, duplicates: sent.length - inserted },
    commit,
  };
}

/** Reports the problems of a batch of events beyond the contract. */
function validateEvents(body: unknown, context: OperationContext, problems: ProblemList): void {
  const { events } = fieldsOf(body);
  if (!Array.isArray(events)) return;
  const { maxBatchSize } = context.assumptions;
  if (events.length > maxBatchSize) return;
  for (let i = 0; i < events.length && !problems.isFull; i++) {
    if (isObject(events[i])) addEventProblems(events[i], i, context, problems);
  }
}

type EventFields = Readonly<Record<string, unknown>>;
type ProblemWithoutLoc = Omit<Problem, "loc">;

/** Returns the problem with one field of an event. */
type FieldValidator = (event: EventFields, context: OperationContext) => ProblemWithoutLoc | undefined;

function addEventProblems(event: EventFields, index: number, context: OperationContext, problems: ProblemList): void {
  const { requiredEventFields, uuidEventFields, metadata } = context.assumptions;
  for (const name of requiredEventFields) {
    if (event[name] === undefined) problems.add({ loc: locOf(index, name), msg: "Field required", type: "missing" });
  }
  for (const name of uuidEventFields) {
    const problem = uuidProblem(event[name]);
    if (problem) problems.add({ loc: locOf(index, name), ...problem });
  }
  for (const [name, validator] of VALIDATORS) {
    const problem = validator(event, context);
    if (problem) problems.add({ loc: locOf(index, name), ...problem });
  }
  addMetadataProblems(event["metadata"], locOf(index, "metadata"), metadata, problems);
}

function locOf(index: number, name: string): Loc {
  return ["body", "events", index, name];
}

/** The checks of single fields, by the field. */
const VALIDATORS: readonly (readonly [name: string, FieldValidator])[] = Object.entries<FieldValidator>({
  /** G-EVT-REQ */
  name: ({ name }, { assumptions: { eventName } }) => lengthProblem(name, eventName.minLength, eventName.maxLength),

  /** G-EVT-CUST: a customer of another organization counts as unknown. */
  customer_id: ({ customer_id: id, organization_id: named }, context) => {
    const { assumptions, state } = context;
    if (assumptions.unknownCustomers === "accept" || typeof id !== "string") return undefined;
    const owner = ownerOf(named, context);
    const customer = state.tables.customers.get(id.toLowerCase());
    if (customer !== undefined && (owner === undefined || customer.organization_id === owner)) return undefined;
    return { msg: "Customer does not exist", type: "value_error", input: id };
  },

  /** G-EVT-TIME */
  timestamp: ({ timestamp }, { assumptions, receivedAt }) => {
    if (assumptions.futureEvents === "accept" || typeof timestamp !== "string") return undefined;
    if (!(Date.parse(timestamp) > receivedAt)) return undefined;
    return { msg: "Timestamp is in the future", type: "value_error", input: timestamp };
  },

  /** G-EVT-ORG */
  organization_id: ({ organization_id }, context) => organizationProblem(organization_id, context),
});

/** G-MEMBER */
function uuidProblem(input: unknown): ProblemWithoutLoc | undefined {
  if (typeof input !== "string" || isUuid(input)) return undefined;
  return { msg: "Input should be a valid UUID", type: "uuid_parsing", input };
}

type MetadataLimits = Assumptions["metadata"];

/** Reports the problems of an event's metadata (G-EVT-META). */
function addMetadataProblems(metadata: unknown, loc: Loc, limits: MetadataLimits, problems: ProblemList): void {
  const fields = fieldsOf(metadata);
  const keys = Object.keys(fields);
  const maxPairs = limits.maxPairs ?? Number.POSITIVE_INFINITY;
  if (keys.length > maxPairs) problems.add(tooManyProblem(loc, "Dictionary", maxPairs, keys.length));
  for (const key of keys.length > maxPairs ? [] : keys) {
    if (problems.isFull) return;
    const problem = pairProblem(key, fields[key], limits);
    if (problem) problems.add({ loc: [...loc, key], ...problem });
  }
}

function pairProblem(key: string, value: unknown, limits: MetadataLimits): ProblemWithoutLoc | undefined {
  return (
    lengthProblem(key, limits.minKeyLength, limits.maxKeyLength) ??
    kindProblem(key, value, limits) ??
    lengthProblem(value, limits.minValueLength, limits.maxValueLength)
  );
}

function kindProblem(
  key: string,
  value: unknown,
  { values, objectKeys }: MetadataLimits,
): ProblemWithoutLoc | undefined {
  if (values === "any" || ["string", "number", "boolean"].includes(typeof value)) return undefined;
  if (isObject(value) && objectKeys.includes(key)) return undefined;
  return { msg: "Input should be a string, a number or a boolean", type: "string_type", input: value };
}
