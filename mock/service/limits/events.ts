import type { Problem } from "../refusals.ts";
import { emptyProblems, fieldsOf, type Judgement, type Limit, type Loc, lengthProblems } from "./limit.ts";
import { ownerProblems } from "./owner.ts";

/** The limits of a batch of events. */
export const eventsLimit: Limit = (body, judgement) => {
  const { events } = fieldsOf(body);
  if (!Array.isArray(events)) return [];
  const { maxBatchSize } = judgement.assumptions;
  if (events.length === 0) return emptyProblems(["body", "events"], judgement);
  if (events.length > maxBatchSize) return [tooMany(["body", "events"], "List", maxBatchSize, events.length)];
  return events.flatMap((event, index) => {
    if (typeof event !== "object" || event === null) return [];
    return eventProblems(fieldsOf(event), ["body", "events", index], judgement);
  });
};

type EventFields = Readonly<Record<string, unknown>>;

function eventProblems(event: EventFields, loc: Loc, judgement: Judgement): Problem[] {
  const { minLength, maxLength } = judgement.assumptions.eventName;
  return [
    ...lengthProblems(event["name"], minLength, maxLength, [...loc, "name"]),
    ...externalCustomerProblems(event, loc, judgement),
    ...customerProblems(event, loc, judgement),
    ...timeProblems(event, loc, judgement),
    ...metadataProblems(event, loc, judgement),
    ...ownerProblems(event["organization_id"], loc, judgement),
  ];
}

/** A batch to judge where events may carry both customer ids: of such an event, `customer_id` counts (G-EVT-BOTH). */
export function withOneCustomer(body: unknown): unknown {
  const { events } = fieldsOf(body);
  if (!Array.isArray(events)) return body;
  const judged = events.map((event) => {
    const { external_customer_id: other, ...rest } = fieldsOf(event);
    return "customer_id" in rest && typeof other === "string" ? rest : event;
  });
  return { ...fieldsOf(body), events: judged };
}

/** G-EVT-EXT */
function externalCustomerProblems(event: EventFields, loc: Loc, { assumptions }: Judgement): Problem[] {
  const input = event["external_customer_id"];
  if (input === undefined || assumptions.externalCustomers === "accept") return [];
  const msg = "Events of external customers are not accepted";
  return [{ loc: [...loc, "external_customer_id"], msg, type: "value_error", input }];
}

/** G-EVT-CUST */
function customerProblems(event: EventFields, loc: Loc, { assumptions, state }: Judgement): Problem[] {
  const id = event["customer_id"];
  if (assumptions.unknownCustomers === "accept" || typeof id !== "string") return [];
  if (state.tables.customers.has(id.toLowerCase())) return [];
  return [{ loc: [...loc, "customer_id"], msg: "Customer does not exist", type: "value_error", input: id }];
}

/** G-EVT-TIME */
function timeProblems({ timestamp }: EventFields, loc: Loc, { assumptions, receivedAt }: Judgement): Problem[] {
  if (assumptions.futureEvents === "accept" || typeof timestamp !== "string") return [];
  if (!(Date.parse(timestamp) > receivedAt)) return [];
  return [{ loc: [...loc, "timestamp"], msg: "Timestamp is in the future", type: "value_error", input: timestamp }];
}

/** G-EVT-META */
function metadataProblems({ metadata }: EventFields, loc: Loc, { assumptions }: Judgement): Problem[] {
  const limits = assumptions.metadata;
  const entries = Object.entries(fieldsOf(metadata));
  const place = [...loc, "metadata"];
  if (entries.length > limits.maxPairs) return [tooMany(place, "Dictionary", limits.maxPairs, entries.length)];
  return entries.flatMap(([key, value]) => [
    ...lengthProblems(key, limits.minKeyLength, limits.maxKeyLength, [...place, key]),
    ...lengthProblems(value, limits.minValueLength, limits.maxValueLength, [...place, key]),
  ]);
}

function tooMany(loc: Loc, what: string, max: number, actual: number): Problem {
  const msg = `${what} should have at most ${max} items after validation, not ${actual}`;
  return { loc, msg, type: "too_long", ctx: { max_length: max, actual_length: actual } };
}
