import { VERSION as NEXT } from "#next/names";
import { nextVersion } from "../../src/lifecycle/index.ts";

export { VERSION as CURRENT } from "#current/names";
export { VERSION as DEPRECATED } from "#deprecated/names";
export { NEXT };

/** The Next that the first release creates, and the one after it. */
export const AFTER_NEXT: string = nextVersion(NEXT);
export const LAST: string = nextVersion(AFTER_NEXT);
