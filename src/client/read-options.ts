import { checkAccessToken } from "./access-token.ts";
import { readBaseUrl } from "./base-url.ts";
import { checkHeaders, userAgent } from "./headers.ts";
import { type Log, readLog } from "./log.ts";
import {
  checkFunctions,
  checkMaxResponseBytes,
  checkMaxRetries,
  checkNames,
  checkObject,
  checkOnMismatch,
  checkSignal,
  checkTimeout,
} from "./option-checks.ts";
import type { AccessToken, CallOptions, ClientOptions, Hooks, OnMismatch } from "./options.ts";
import { methodsOf, own } from "./own.ts";
import { readTransport, type TransportSettings } from "./read-transport.ts";

/** The settings of one call: the call's options, with the client's as defaults. */
export interface CallSettings {
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
  readonly maxRetries: number;
  readonly maxResponseBytes: number;
  readonly accessToken: AccessToken;
  /** The caller's headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The checked options of a client, with defaults. */
export interface Settings extends TransportSettings {
  readonly version: string;
  readonly baseUrl: string;
  readonly hooks: Hooks;
  readonly logger: Log;
  readonly onResponseMismatch: OnMismatch;
  readonly onVersionMismatch: OnMismatch;
  /** The settings of a call without options. */
  readonly call: CallSettings;
}

/** Lists the options of a call. */
export const CALL_OPTIONS = [
  "signal",
  "timeout",
  "maxRetries",
  "maxResponseBytes",
  "headers",
  "accessToken",
] as const satisfies readonly (keyof CallOptions)[];

const CLIENT_OPTIONS = [
  "accessToken",
  "environment",
  "baseUrl",
  "timeout",
  "maxRetries",
  "maxResponseBytes",
  "headers",
  "fetch",
  "transport",
  "hooks",
  "logger",
  "logLevel",
  "onResponseMismatch",
  "onVersionMismatch",
] as const satisfies readonly (keyof ClientOptions)[];

/** 32 MiB. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

const HOOKS = [
  "onRequest",
  "onResponse",
  "onAttemptEnd",
  "onRetry",
  "onCallEnd",
] as const satisfies readonly (keyof Hooks)[];

/**
 * Checks the options of a client and applies the defaults.
 *
 * @throws {@link InvalidInputError} when an option is unknown or invalid.
 */
export function readSettings(version: string, value: ClientOptions): Settings {
  const options = own(checkObject("options", value));
  checkNames("options", options, CLIENT_OPTIONS);
  return {
    version,
    baseUrl: readBaseUrl(options),
    ...readTransport(options),
    hooks: checkHooks(options.hooks ?? {}),
    logger: readLog(options.logger, options.logLevel),
    onResponseMismatch: checkOnMismatch("onResponseMismatch", options.onResponseMismatch),
    onVersionMismatch: checkOnMismatch("onVersionMismatch", options.onVersionMismatch),
    call: {
      signal: undefined,
      timeout: checkTimeout(options.timeout ?? 30_000),
      maxRetries: checkMaxRetries(options.maxRetries ?? 2),
      maxResponseBytes: checkMaxResponseBytes(options.maxResponseBytes ?? MAX_RESPONSE_BYTES),
      accessToken: checkAccessToken(options.accessToken),
      headers: { ...userAgent(), ...checkHeaders(options.headers) },
    },
  };
}

/**
 * Checks the options of one call. An undefined `accessToken` is rejected, so that it never falls back to the client's.
 *
 * @param names The valid names of options.
 * @throws {@link InvalidInputError} when an option is unknown or invalid.
 */
export function readCallSettings(
  client: CallSettings,
  value: CallOptions | undefined,
  operation: string,
  names: readonly string[],
): CallSettings {
  if (value === undefined) return client;
  const options = own(checkObject("options", value, operation));
  checkNames("options", options, names, operation);
  return {
    signal: checkSignal(options.signal, operation),
    timeout: checkTimeout(options.timeout ?? client.timeout, operation),
    maxRetries: checkMaxRetries(options.maxRetries ?? client.maxRetries, operation),
    maxResponseBytes: checkMaxResponseBytes(options.maxResponseBytes ?? client.maxResponseBytes, operation),
    accessToken: "accessToken" in options ? checkAccessToken(options.accessToken, operation) : client.accessToken,
    headers: { ...client.headers, ...checkHeaders(options.headers, operation) },
  };
}

/** Checks the hooks. An instance of a class may have other members. */
function checkHooks(value: Hooks): Hooks {
  const hooks = checkFunctions("hooks", value, HOOKS);
  if (Object.getPrototypeOf(hooks) === Object.prototype) checkNames("hooks", hooks, HOOKS);
  return methodsOf(hooks, HOOKS);
}
