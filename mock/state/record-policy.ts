import { oneOf, text, texts } from "../options/field-kinds.ts";
import type { PolicyFields } from "../options/policy-fields.ts";

/** Assumptions about the records of the service, however they are created. */
export interface RecordPolicy {
  /** G-AUT-NULL: whether fields that are left out of clients, users and organizations are null or filled in. */
  readonly authorizeNulls: "null" | "filled";
  /** G-WHE-SECRET: the fixed prefix of an endpoint's secret. */
  readonly secretPrefix: string;
  /** G-WHE-URL: the URLs that an endpoint may have. */
  readonly endpointUrl: {
    readonly protocols: readonly string[];
    readonly credentials: "reject" | "accept";
    /** `public` rejects this machine and private networks. Host names are not resolved. */
    readonly hosts: "any" | "public";
  };
}

export const recordDefaults: RecordPolicy = {
  authorizeNulls: "filled",
  secretPrefix: "whsec_",
  endpointUrl: { protocols: ["https:", "http:"], credentials: "reject", hosts: "any" },
};

export const recordFields: PolicyFields<RecordPolicy> = {
  authorizeNulls: oneOf("null", "filled"),
  secretPrefix: text,
  endpointUrl: {
    group: { protocols: texts, credentials: oneOf("accept", "reject"), hosts: oneOf("any", "public") },
  },
};
