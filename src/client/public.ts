export type { BaseClient, RequestOptions } from "./base-client.ts";
export type { Answer, Call, PagedCall, Result } from "./call.ts";
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
  TokenRequest,
} from "./options.ts";
