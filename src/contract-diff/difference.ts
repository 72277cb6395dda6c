/** The part of a contract that a difference is about. */
export type DifferenceArea = "operation" | "model" | "error" | "webhook event" | "scope" | "authentication";

/** One difference between two contracts. */
export interface Difference {
  readonly area: DifferenceArea;
  readonly change: "added" | "removed" | "changed";
  /** Names what differs: an operation id, a model with the path of a field, an event type or a scope. */
  readonly subject: string;
  /** Says what changed, without the subject. */
  readonly message: string;
  /** Whether a program that is correct with the old contract can fail with the new one. */
  readonly breaking: boolean;
  /** The ids of the operations that it affects. Empty if it affects none or all. */
  readonly operations: readonly string[];
  /** The strings that an enum gained or lost. */
  readonly values?: readonly string[];
}
