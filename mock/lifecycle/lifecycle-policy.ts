import type { Contract } from "../../src/contract/index.ts";
import { callable } from "../options/field-kinds.ts";
import type { PolicyFields } from "../options/policy-fields.ts";

/** Assumptions about releases. */
export interface LifecyclePolicy {
  /** G-NEXTNEXT: the contract of the Next that a release creates; the release gives it its name. */
  readonly nextContract: (released: Contract) => Contract;
}

export const lifecycleDefaults: LifecyclePolicy = {
  nextContract: (released) => released,
};

export const lifecycleFields: PolicyFields<LifecyclePolicy> = {
  nextContract: callable,
};
