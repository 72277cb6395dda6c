import { createRequire } from "node:module";
import { explainMissingMsw } from "./explain-missing-msw.ts";

/** Loads a package, or a part of one, as seen from this package. */
export const requirePackage = createRequire(import.meta.url);

/** The part of MSW that intercepts requests. */
export const { setupServer } = await load(import("msw/node"));

/** The part of MSW that creates handlers for requests. */
export const { http }: typeof import("msw") = await load(import("msw"));

async function load<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part;
  } catch (error) {
    throw explainMissingMsw(error);
  }
}
