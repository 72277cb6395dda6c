// The types that every version's entry exports and that are the same in each.
export type {
  Call,
  CallOptions,
  CallResponse,
  ClientOptions,
  Hooks,
  PagedCall,
  RequestOptions,
  Result,
} from "./client/index.ts";
export type { OperationError } from "./errors/index.ts";
