/**
 * Checks a service against the rules of the specification, and finds what it does where the specification leaves something
 * open.
 *
 * @module conformance
 */

export type {
  ConformanceOptions,
  ConformanceProgress,
  ConformanceReceiver,
  ConformanceToken,
  Trigger,
} from "./options.ts";
export type { Evidence, Json } from "./outcome.ts";
export type { AssumptionRow, ConformancePlan, ConformanceReport, OperationRow, RuleRow } from "./report.ts";
export { planConformance, runConformance } from "./run.ts";
