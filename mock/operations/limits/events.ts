import type { Problem } from "../../engine/refusals.ts";
import type { ProblemList } from "../../validation/problem-list.ts";
import { UUID } from "../../validation/problems.ts";
import { addEmptyProblem, fieldsOf, type Judgement, type Limit, type Loc, lengthProblem } from "./limit.ts";
import { addMetadataProblems, tooMany } from "./metadata.ts";
import { ownerOf, ownerProblem } from "./owner.ts";

/** The limits of a batch of events. */
export const eventsLimit: Limit = (body, judgement, problems) => {
  const { events } = fieldsOf(body);
  if (!Array.isArray(events)) return;
  const loc = ["body", "events"];
  const { maxBatchSize } = judgement.assumptions;
  if (events.length === 0) addEmptyProblem(loc, judgement, problems);
  if (events.length > maxBatchSize) return problems.add(tooMany(loc, "List", maxBatchSize, events.length));
  for (let i = 0; i < events.length && !problems.isFull; i++) {
    const event: unknown = events[i];
    if (typeof event === "object" && event !== null)
      addEventProblems(fieldsOf(event), [...loc, i], judgement, problems);
  }
};

type EventFields = Readonly<Record<string, unknown>>;
type EventCheck = (event: EventFields, loc: Loc, judgement: Judgement) => Problem | undefined;

function addEventProblems(event: EventFields, loc: Loc, judgement: Judgement, problems: ProblemList): void {
  const { requiredEventFields, uuidEventFields, metadata } = judgement.assumptions;
  for (const name of requiredEventFields) {
    if (event[name] === undefined) problems.add({ loc: [...loc, name], msg: "Field required", type: "missing" });
  }
  for (const name of uuidEventFields) {
    const problem = uuidProblem(event[name], [...loc, name]);
    if (problem) problems.add(problem);
  }
  for (const check of CHECKS) {
    const problem = check(event, loc, judgement);
    if (problem) problems.add(problem);
  }
  addMetadataProblems(event["metadata"], [...loc, "metadata"], metadata, problems);
}

/** G-EVT-REQ */
const checkName: EventCheck = ({ name }, loc, { assumptions: { eventName } }) => {
  const problem = lengthProblem(name, eventName.minLength, eventName.maxLength);
  return problem && { loc: [...loc, "name"], ...problem };
};

/** G-EVT-EXT */
const checkExternalCustomer: EventCheck = ({ external_customer_id: input }, loc, { assumptions }) => {
  if (input === undefined || assumptions.externalCustomers === "accept") return undefined;
  const msg = "Events of external customers are not accepted";
  return { loc: [...loc, "external_customer_id"], msg, type: "value_error", input };
};

/** G-EVT-CUST: a customer of another organization is as unknown as one that does not exist. */
const checkCustomer: EventCheck = ({ customer_id: id, organization_id: named }, loc, judgement) => {
  const { assumptions, state } = judgement;
  if (assumptions.unknownCustomers === "accept" || typeof id !== "string") return undefined;
  const owner = ownerOf(named, judgement);
  const customer = state.tables.customers.get(id.toLowerCase());
  if (customer !== undefined && (owner === undefined || customer.organization_id === owner)) return undefined;
  return { loc: [...loc, "customer_id"], msg: "Customer does not exist", type: "value_error", input: id };
};

/** G-EVT-TIME */
const checkTime: EventCheck = ({ timestamp }, loc, { assumptions, receivedAt }) => {
  if (assumptions.futureEvents === "accept" || typeof timestamp !== "string") return undefined;
  if (!(Date.parse(timestamp) > receivedAt)) return undefined;
  return { loc: [...loc, "timestamp"], msg: "Timestamp is in the future", type: "value_error", input: timestamp };
};

/** G-EVT-ORG */
const checkOwner: EventCheck = ({ organization_id }, loc, judgement) => ownerProblem(organization_id, loc, judgement);

const CHECKS: readonly EventCheck[] = [checkName, checkExternalCustomer, checkCustomer, checkTime, checkOwner];

/** G-MEMBER */
function uuidProblem(input: unknown, loc: Loc): Problem | undefined {
  if (typeof input !== "string" || UUID.test(input)) return undefined;
  return { loc, msg: "Input should be a valid UUID", type: "uuid_parsing", input };
}
