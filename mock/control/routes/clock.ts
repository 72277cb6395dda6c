import type { ClockAdvance } from "../../engine/clock.ts";
import type { RoutesOf } from "./route.ts";

/** Operations on the clock of the mock. */
export interface ClockOperations {
  get(): ClockTime;
  advance(request: { readonly body: ClockAdvance }): ClockTime;
}

/** The time of the mock. */
export interface ClockTime {
  /** A timestamp, in the form of the service. */
  readonly now: string;
}

export const clockRoutes: RoutesOf<ClockOperations> = {
  get: {
    method: "GET",
    path: "/clock",
    summary: "Returns the current time of the mock.",
  },
  advance: {
    method: "POST",
    path: "/clock/advance",
    summary: "Advances the clock, and waits until everything that becomes due in this time has happened.",
    body: "`days`, `hours`, `minutes`, `seconds` and `milliseconds`, which are added up, or a moment in `to`.",
  },
};
