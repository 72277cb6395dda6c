export type { OperationError } from "../errors/index.ts";
export { bindContract } from "./client.ts";
export { sendPages } from "./paged-call.ts";
export * from "./public.ts";
export type { Send } from "./request.ts";
