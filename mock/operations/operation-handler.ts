import type { Reply } from "../http/reply.ts";
import type { Fields } from "../validation/body-check.ts";
import type { ProblemList } from "../validation/problems.ts";
import type { Explain } from "../validation/schema-problems.ts";
import type { OperationPolicy } from "./operation-policy.ts";
import type { OperationContext } from "./request-context.ts";

/** The success of an operation: a canonical record. The engine picks the fields that the version defines. */
export interface Success {
  readonly data: object;
  /** The status, when an assumption overrides the contract's. */
  readonly status?: number | undefined;
  /** Writes to the tables. Called when the response is encoded; must not throw. */
  readonly commit?: () => void;
}

/** The rules of one operation beyond its contract. The engine calls the functions in this order. */
export interface OperationHandler {
  /** Returns whether the service has the operation; it always has when this is left out. */
  readonly isServed?: (policy: OperationPolicy) => boolean;
  /** Changes a parsed body in place: removes what the policy accepts although the contract does not. */
  readonly normalize?: (body: Fields, policy: OperationPolicy) => void;
  /** Describes contract violations that only this operation can describe. */
  readonly explain?: Explain;
  /**
   * Reports the problems of a body beyond the contract. The body may violate the contract as well, which is reported
   * separately: check only fields of the right type, so that one response lists every problem.
   */
  readonly validate?: (body: unknown, context: OperationContext, problems: ProblemList) => void;
  /** Performs the operation, except for its writes to the tables. */
  readonly handle: (context: OperationContext) => Success | Reply;
}
