// The program for a page: the test reads `report`.
import type { Target } from "./calls.ts";
import { exercise } from "./exercise.ts";

declare global {
  interface Window {
    readonly target: Target;
    report: Promise<unknown>;
  }
}

window.report = exercise(window.target);
