import type { FaultInput, FaultKind } from "../../../faults/fault.ts";

/** The label of each effect that a fault can have: a response with a status, only a delay, or one of the kinds. */
export const FAULT_EFFECTS: Readonly<Record<FaultKind | "status" | "delay", string>> = {
  status: "Status",
  delay: "Delay only",
  timeout: "Timeout: no response",
  reset: "Connection reset",
  "empty-reply": "Connection closed without a response",
  "bad-status-line": "Response that is not HTTP",
  malformed: "Body that is not valid JSON",
  truncated: "Truncated body",
};

/** The effect of a fault. */
export type FaultEffect = keyof typeof FAULT_EFFECTS;

/** Describes the effect of a fault. */
export function describeFault({ status, kind }: FaultInput): string {
  return status === undefined ? FAULT_EFFECTS[kind ?? "delay"] : `Status ${status}`;
}
