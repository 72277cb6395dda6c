export type { OperationError } from "../errors/index.ts";
export { connect } from "./connect.ts";
export { sendPages } from "./paged-call.ts";
export * from "./public.ts";
export type { Send } from "./send.ts";
