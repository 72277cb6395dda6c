import type { Reply } from "../http/reply.ts";
import type { Work } from "../time/in-slices.ts";
import type { Fields } from "../validation/leniency.ts";
import type { ProblemList } from "../validation/problem-list.ts";
import type { Explain } from "../validation/schema-problems.ts";
import type { OperationPolicy } from "./operation-policy.ts";
import type { OperationContext } from "./request-context.ts";

/** The success of an operation: a canonical record. The engine picks the fields that the version defines. */
export interface Success {
  readonly data: object;
  /** The status, when an assumption overrides the contract's. */
  readonly status?: number | undefined;
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
   * separately: check only fields of the right type, so that one response lists every problem. Pauses in long lists.
   */
  readonly validate?: (body: unknown, context: OperationContext, problems: ProblemList) => Work<void> | undefined;
  /**
   * Prepares `handle` as far as possible without a change of the state. Pauses in long lists. The result becomes
   * `context.prepared`.
   */
  readonly prepare?: (context: OperationContext) => Work<unknown>;
  /** Performs the operation. When it returns a `Reply` or throws, its changes of the state are undone. */
  readonly handle: (context: OperationContext) => Success | Reply;
}
