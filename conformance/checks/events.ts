import type { Check } from "../check.ts";
import { acceptedEvent, ingest, newId } from "../fixtures.ts";
import { problemsOf } from "../service.ts";

/** Sections 2.2, 2.3 and 4.2: usage events. */
export const eventChecks: readonly Check[] = [
  {
    kind: "rule",
    id: "ING-1",
    section: "2.3",
    title: "An ingest response has inserted and duplicates, both integers.",
    writes: "events",
    requests: 1,
    run: async (service) => {
      const { answer } = await acceptedEvent(service);
      service.check(answer, { body: { inserted: Number, duplicates: Number } });
    },
  },
  {
    kind: "assumption",
    id: "G-EVT-CUST",
    section: "2.2",
    name: "unknownCustomers",
    default: "accept",
    writes: "events",
    requests: 1,
    run: async (service) => {
      const answer = await ingest(service, { customer_id: newId(service), external_customer_id: undefined });
      const rejected = problemsOf(answer).some(({ loc }) => loc[3] === "customer_id");
      return { value: rejected ? "reject" : "accept", evidence: `${answer.status} for an unknown customer_id` };
    },
  },
];
