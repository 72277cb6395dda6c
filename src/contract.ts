/**
 * What contracts and clients of your own are written with, for example for a Next that you want to try before it exists.
 *
 * @module contract
 */
export { type BaseClient, type BoundVersion, bindVersion, type Send } from "./client/client.ts";
export type { Call, CallOptions, ClientOptions, OperationParameters, PagedCall } from "./client/index.ts";
export type * from "./contract/contract.ts";
export type { OperationError } from "./errors/index.ts";
