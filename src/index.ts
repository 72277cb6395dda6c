/**
 * Exports that are independent of a version: the errors, the types of options, and the release dates. Import the clients from
 * `@billing-service/sdk/YYYY-MM`.
 *
 * @module @billing-service/sdk
 */
export type {
  AccessToken,
  AttemptFacts,
  Call,
  CallEnd,
  CallFacts,
  CallOptions,
  CallResponse,
  ClientOptions,
  Environment,
  FetchedResponse,
  FetchFunction,
  FetchInit,
  Hooks,
  KyInstance,
  Logger,
  LogLevel,
  OnMismatch,
  Outcome,
  PagedCall,
  RequestOptions,
  Result,
  TokenRequest,
} from "./client/index.ts";
export * from "./errors/index.ts";
export * from "./lifecycle/index.ts";
