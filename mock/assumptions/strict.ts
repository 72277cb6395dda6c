import { deepFreeze } from "../options/frozen.ts";
import type { AssumptionChoices } from "./assumptions.ts";

/**
 * Choices for a mock that rejects what services of this kind were seen to reject and the specification does not: what
 * passes against a strict mock does not depend on the default choices. Plain data; override any of it.
 *
 * @example
 * ```ts
 * const mock = createMock({ assumptions: { ...strict, unknownCustomers: "accept" } });
 * ```
 */
export const strict: AssumptionChoices = deepFreeze({
  /** G-EVT-CUST */
  unknownCustomers: "reject",
  /** G-EVT-TIME */
  futureEvents: "reject",
  /** G-EVT-ORG */
  organizationField: { pat: "required", oat: "forbidden" },
  /** G-MEMBER */
  uuidEventFields: ["member_id"],
  /** G-EVT-REQ */
  eventName: { minLength: 1, maxLength: 128 },
  /** G-EVT-META */
  metadata: {
    values: "scalars",
    objectKeys: ["_cost", "_llm"],
    maxPairs: 50,
    minKeyLength: 1,
    maxKeyLength: 40,
    minValueLength: 1,
    maxValueLength: 500,
  },
  /** G-FIELDS */
  unknownFields: "reject",
  /** G-WHE-URL */
  endpointUrl: { protocols: ["https:"], hosts: "public" },
  /** G-LENGTH */
  bodyWithoutLength: "reject",
  /** G-RATE */
  rateLimit: { requests: 500, windowSeconds: 60 },
});
