import type { EnginePolicy } from "../engine/engine-policy.ts";
import type { PartialPolicy } from "../options/policy-fields.ts";

/**
 * The assumptions that the mock makes where the specification leaves something open. Each field is an entry of the list in
 * `docs/rules.md`, under the id at the beginning of its description. Change an assumption with
 * `createMock({ assumptions: { … } })`; what you leave out keeps its default. All are JSON values, so a file can hold them.
 */
export interface Assumptions extends EnginePolicy {}

/** Assumptions that differ from the defaults. Of an assumption with several fields, each can be set separately. */
export type AssumptionChoices = PartialPolicy<Assumptions>;
