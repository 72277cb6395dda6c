import type { Step } from "../assumptions/assumptions.ts";
import { type Check, checks } from "./steps.ts";

/** What each step needs to have run before it. */
const needs: Readonly<Record<Step, readonly Step[]>> = {
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

/** The checks in the given order. An order that leaves one out, repeats one or puts one before what it needs is refused. */
export function inOrder(order: readonly Step[]): readonly Check[] {
  for (const step of Object.keys(needs) as Step[]) {
    const place = order.indexOf(step);
    if (place === -1 || place !== order.lastIndexOf(step)) {
      throw new TypeError(`createMock: assumptions.order must name the step "${step}" exactly once.`);
    }
    const late = needs[step].find((needed) => order.indexOf(needed) > place);
    if (late) throw new TypeError(`createMock: assumptions.order must put "${late}" before "${step}".`);
  }
  return order.map((step) => {
    const check = checks[step];
    if (!check) throw new TypeError(`createMock: assumptions.order names a step that there is not: "${step}".`);
    return check;
  });
}
