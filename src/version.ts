// The types that the files of every version are written with.
export type { Send } from "./client/client.ts";
export type { Call, CallOptions, PagedCall } from "./client/index.ts";
export type { Operation, PagedOperation, Schema, ZodSchema } from "./contract/index.ts";
export type { OperationError } from "./errors/index.ts";
