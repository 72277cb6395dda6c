import { VERSION as NEXT } from "#next/contract";
import { nextVersion } from "../../src/lifecycle/index.ts";

export { VERSION as CURRENT } from "#current/contract";
export { VERSION as DEPRECATED } from "#deprecated/contract";
export { NEXT };

/** The Next that the first release creates, and the one after it. */
export const AFTER_NEXT: string = nextVersion(NEXT);
export const LAST: string = nextVersion(AFTER_NEXT);
