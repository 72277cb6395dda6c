import type { Loc, Problem, ProblemList } from "../validation/problems.ts";
import { addEmptyProblem, fieldsOf, lengthProblem, tooManyProblem } from "../validation/problems.ts";
import { UUID } from "../validation/schema-problems.ts";
import type { IngestEventsPolicy } from "./ingest-events-policy.ts";
import { organizationProblem, ownerOf } from "./organization-field.ts";
import type { OperationContext } from "./request-context.ts";

/** Reports the problems of a batch of events beyond the contract. */
export function validateEvents(body: unknown, context: OperationContext, problems: ProblemList): void {
  const { events } = fieldsOf(body);
  if (!Array.isArray(events)) return;
  const loc = ["body", "events"];
  const { maxBatchSize } = context.policy;
  if (events.length === 0) addEmptyProblem(loc, context.policy, problems);
  if (events.length > maxBatchSize) {
    problems.add(tooManyProblem(loc, "List", maxBatchSize, events.length));
    return;
  }
  for (let i = 0; i < events.length && !problems.isFull; i++) {
    const event: unknown = events[i];
    if (typeof event === "object" && event !== null) addEventProblems(fieldsOf(event), i, context, problems);
  }
}

type EventFields = Readonly<Record<string, unknown>>;
type ProblemWithoutLoc = Omit<Problem, "loc">;

/** Returns the problem with one field of an event. */
type FieldCheck = (event: EventFields, context: OperationContext) => ProblemWithoutLoc | undefined;

function addEventProblems(event: EventFields, index: number, context: OperationContext, problems: ProblemList): void {
  const { requiredEventFields, uuidEventFields, metadata } = context.policy;
  for (const name of requiredEventFields) {
    if (event[name] === undefined) problems.add({ loc: locOf(index, name), msg: "Field required", type: "missing" });
  }
  for (const name of uuidEventFields) {
    const problem = uuidProblem(event[name]);
    if (problem) problems.add({ loc: locOf(index, name), ...problem });
  }
  for (const [name, check] of CHECKS) {
    const problem = check(event, context);
    if (problem) problems.add({ loc: locOf(index, name), ...problem });
  }
  if (!isUnlimited(metadata)) addMetadataProblems(event["metadata"], locOf(index, "metadata"), metadata, problems);
}

function locOf(index: number, name: string): Loc {
  return ["body", "events", index, name];
}

/** G-EVT-REQ */
const checkName: FieldCheck = ({ name }, { policy: { eventName } }) =>
  lengthProblem(name, eventName.minLength, eventName.maxLength);

/** G-EVT-EXT */
const checkExternalCustomer: FieldCheck = ({ external_customer_id: input }, { policy }) => {
  if (input === undefined || policy.externalCustomers === "accept") return undefined;
  return { msg: "Events of external customers are not accepted", type: "value_error", input };
};

/** G-EVT-CUST: a customer of another organization counts as unknown. */
const checkCustomer: FieldCheck = ({ customer_id: id, organization_id: named }, context) => {
  const { policy, state } = context;
  if (policy.unknownCustomers === "accept" || typeof id !== "string") return undefined;
  const owner = ownerOf(named, context);
  const customer = state.tables.customers.get(id.toLowerCase());
  if (customer !== undefined && (owner === undefined || customer.organization_id === owner)) return undefined;
  return { msg: "Customer does not exist", type: "value_error", input: id };
};

/** G-EVT-TIME */
const checkTime: FieldCheck = ({ timestamp }, { policy, receivedAt }) => {
  if (policy.futureEvents === "accept" || typeof timestamp !== "string") return undefined;
  if (!(Date.parse(timestamp) > receivedAt)) return undefined;
  return { msg: "Timestamp is in the future", type: "value_error", input: timestamp };
};

/** G-EVT-ORG */
const checkOrganization: FieldCheck = ({ organization_id }, context) => organizationProblem(organization_id, context);

/** The checks of single fields, by the field. */
const CHECKS: readonly (readonly [name: string, FieldCheck])[] = [
  ["name", checkName],
  ["external_customer_id", checkExternalCustomer],
  ["customer_id", checkCustomer],
  ["timestamp", checkTime],
  ["organization_id", checkOrganization],
];

/** G-MEMBER */
function uuidProblem(input: unknown): ProblemWithoutLoc | undefined {
  if (typeof input !== "string" || UUID.test(input)) return undefined;
  return { msg: "Input should be a valid UUID", type: "uuid_parsing", input };
}

type MetadataLimits = IngestEventsPolicy["metadata"];

/** Reports the problems of an event's metadata (G-EVT-META). */
function addMetadataProblems(metadata: unknown, loc: Loc, limits: MetadataLimits, problems: ProblemList): void {
  const fields = fieldsOf(metadata);
  const keys = Object.keys(fields);
  const { maxPairs } = limits;
  if (keys.length > maxPairs) problems.add(tooManyProblem(loc, "Dictionary", maxPairs, keys.length));
  for (const key of keys.length > maxPairs ? [] : keys) {
    if (problems.isFull) return;
    const problem = pairProblem(key, fields[key], limits);
    if (problem) problems.add({ loc: [...loc, key], ...problem });
  }
}

function isUnlimited(limits: MetadataLimits): boolean {
  const { values, maxPairs, minKeyLength, maxKeyLength, minValueLength, maxValueLength } = limits;
  const isFree = values === "any" && minKeyLength === 0 && minValueLength === 0;
  return isFree && Math.min(maxPairs, maxKeyLength, maxValueLength) === Number.POSITIVE_INFINITY;
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
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (isObject && objectKeys.includes(key)) return undefined;
  return { msg: "Input should be a string, a number or a boolean", type: "string_type", input: value };
}
