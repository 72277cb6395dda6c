export type { Call, CallResponse, PagedCall, Result, Send } from "./call.ts";
export { type BaseClient, type BoundVersion, bindVersion } from "./client.ts";
export type {
  AccessToken,
  AttemptFacts,
  CallEnd,
  CallFacts,
  CallOptions,
  ClientOptions,
  Environment,
  Hooks,
  KyInstance,
  Logger,
  LogLevel,
  OnMismatch,
  Outcome,
  RequestOptions,
  TokenRequest,
  Transport,
  TransportHeaders,
  TransportRequest,
  TransportResponse,
} from "./options.ts";
export type { OperationParameters } from "./request.ts";
