import { createRequire } from "node:module";
import { explainMissingMsw } from "./explain-missing-msw.ts";

// The CommonJS build uses this file instead of load-msw.ts, since a CommonJS module cannot wait for an import.

/** Loads a package, or a part of one, as seen from this package. */
export const requirePackage = createRequire(__filename);

/** The part of MSW that intercepts requests. */
export const { setupServer } = load<typeof import("msw/node")>("msw/node");

/** The part of MSW that creates handlers for requests. */
export const { http } = load<typeof import("msw")>("msw");

function load<Part>(name: string): Part {
  try {
    return requirePackage(name);
  } catch (error) {
    throw explainMissingMsw(error);
  }
}
