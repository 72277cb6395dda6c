import { formatValue } from "../options/shape.ts";
import { type Check, checks } from "./pipeline.ts";
import type { Step } from "./pipeline-policy.ts";

/** The steps that must run before each step. */
const DEPENDENCIES: Readonly<Record<Step, readonly Step[]>> = {
  version: [],
  size: [],
  rate: [],
  token: [],
  route: ["version"],
  credential: ["token", "route"],
  scope: ["credential"],
  parameters: ["route"],
  body: ["size", "credential"],
};

/**
 * Returns the checks in the given order.
 *
 * @throws TypeError when a step is unknown, missing or repeated, or runs before a step that it depends on.
 */
export function orderPipeline(order: readonly Step[]): readonly Check[] {
  const steps = Object.keys(DEPENDENCIES) as Step[];
  for (const step of steps) {
    const place = order.indexOf(step);
    if (place === -1 || place !== order.lastIndexOf(step)) {
      throw new TypeError(`createMock: \`assumptions.order\` must contain "${step}" exactly once.`);
    }
    const late = DEPENDENCIES[step].find((needed) => order.indexOf(needed) > place);
    if (late) throw new TypeError(`createMock: \`assumptions.order\` must contain "${late}" before "${step}".`);
  }
  const unknown = order.find((step) => !steps.includes(step));
  if (unknown === undefined) return order.map((step) => checks[step]);
  throw new TypeError(
    `createMock: \`assumptions.order\` has the unknown step ${formatValue(unknown)}; expected ${steps.join(", ")}.`,
  );
}
