export { handlerForVersion } from "./handler.ts";
export * from "./sign.ts";
export type * from "./types.ts";
export { verifyForVersion } from "./verify.ts";
