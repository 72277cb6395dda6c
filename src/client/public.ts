export type { Call, CallResponse, PagedCall, Result } from "./call.ts";
export type { BaseClient } from "./client.ts";
export type {
  AccessToken,
  Attempt,
  CallEnd,
  CallFacts,
  CallOptions,
  ClientOptions,
  Environment,
  Hooks,
  Logger,
  LogLevel,
  OnMismatch,
  Outcome,
  RequestOptions,
  TokenRequest,
} from "./options.ts";
export type { Transport, TransportHeaders, TransportRequest, TransportResponse } from "./transport.ts";
