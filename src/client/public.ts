export type { BaseClient, RequestOptions } from "./base-client.ts";
export type { Answer, Call, Result } from "./call.ts";
export type {
  AccessToken,
  Attempt,
  CallOptions,
  ClientOptions,
  Environment,
  Hooks,
  Logger,
  OnMismatch,
} from "./options.ts";
