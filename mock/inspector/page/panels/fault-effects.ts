import type { FaultInput, FaultKind } from "../../../faults/fault.ts";

/** What happens to a request, in words: one for each kind of fault, a status, or only a delay. */
export const FAULT_EFFECTS: Readonly<Record<FaultKind | "status" | "slow", string>> = {
  status: "An error status",
  slow: "A slow, true answer",
  timeout: "No answer, ever",
  reset: "A broken connection",
  "empty-reply": "A connection closed without a byte",
  "bad-status-line": "An answer that is not HTTP",
  malformed: "A body that is no JSON",
  truncated: "A true answer that ends in its middle",
};

/** What the form asks for. */
export type FaultEffect = keyof typeof FAULT_EFFECTS;

/** Says what a fault does. */
export function describe({ status, kind }: FaultInput): string {
  if (status !== undefined) return `Status ${status}`;
  return FAULT_EFFECTS[kind ?? "slow"];
}
