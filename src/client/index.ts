export type { Call, CallResponse, PagedCall, Result, Send } from "./call.ts";
export { type BaseClient, type BoundVersion, bindVersion } from "./client.ts";
export type { Environment } from "./environments.ts";
export type * from "./options.ts";
export type { OperationParameters } from "./request.ts";
