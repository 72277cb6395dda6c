export { handlerForVersion } from "./handler.ts";
export type * from "./options.ts";
export * from "./sign.ts";
export { verifyForVersion } from "./verify.ts";
export type * from "./webhook-event.ts";
