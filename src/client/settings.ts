import { Checks } from "../errors/checks.ts";
import { parseBaseUrl } from "../values/urls.ts";
import { PACKAGE_VERSION } from "./generated.ts";
import { type Log, readLog } from "./log.ts";
import {
  type AccessToken,
  type CallOptions,
  type ClientOptions,
  ENVIRONMENTS,
  type Environment,
  type Hooks,
  type OnMismatch,
} from "./options.ts";
import { type PreparedRequest, SHARED_OPTIONS } from "./request.ts";
import { readSending, type Sending } from "./send.ts";
import { checkAccessToken } from "./token.ts";

/** The settings of one call: the call's options, with the client's as defaults. */
export interface CallSettings {
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
  readonly totalTimeout: number | undefined;
  readonly maxRetries: number;
  readonly maxResponseBytes: number;
  readonly accessToken: AccessToken;
  /** The caller's headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The checked options of a client, with defaults. */
export interface Settings extends Sending {
  readonly version: string;
  readonly baseUrl: string;
  readonly hooks: Hooks;
  readonly logger: Log;
  readonly onResponseMismatch: OnMismatch;
  readonly onVersionMismatch: OnMismatch;
  /** The warnings that were logged, so that each is logged once. */
  readonly warned: Set<string>;
  /** The settings of a call without options. */
  readonly call: CallSettings;
}

/** What is known of a call while it runs. */
export interface CallContext {
  readonly settings: Settings;
  readonly call: CallSettings;
  readonly request: PreparedRequest;
  /** The access tokens that were sent, the newest first. They are redacted in every error. */
  tokens: readonly string[];
}

const CLIENT_OPTIONS = [
  "accessToken",
  "environment",
  "baseUrl",
  ...SHARED_OPTIONS,
  "fetch",
  "ky",
  "hooks",
  "logger",
  "logLevel",
  "onResponseMismatch",
  "onVersionMismatch",
] as const satisfies readonly (keyof ClientOptions)[];

const ON_MISMATCH: readonly OnMismatch[] = ["throw", "warn"];

const HOOKS = ["onRequest", "onAttemptEnd", "onRetry", "onCallEnd"] as const satisfies readonly (keyof Hooks)[];

/**
 * Checks the options of a client and applies the defaults.
 *
 * @throws {@link InvalidInputError} when an option is unknown or invalid.
 */
export function readSettings(version: string, value: ClientOptions): Settings {
  const check = new Checks({ caller: "createClient" });
  const options = check.fields("options", value, CLIENT_OPTIONS);
  return {
    version,
    baseUrl: readBaseUrl(check, options),
    ...readSending(check, options),
    hooks: checkHooks(check, options.hooks),
    logger: readLog(check, options),
    onResponseMismatch: check.oneOf("onResponseMismatch", options.onResponseMismatch ?? "warn", ON_MISMATCH),
    onVersionMismatch: check.oneOf("onVersionMismatch", options.onVersionMismatch ?? "throw", ON_MISMATCH),
    warned: new Set(),
    call: readCall(check, options, { ...DEFAULTS, headers: userAgent() }),
  };
}

/** The settings of a call that its options may leave to the client's; a client must have a token. */
type Defaults = Omit<CallSettings, "signal" | "accessToken"> & { readonly accessToken?: AccessToken };

/** 30 seconds, and 32 MiB. */
const DEFAULTS = { timeout: 30_000, totalTimeout: undefined, maxRetries: 2, maxResponseBytes: 32 * 1024 * 1024 };

/**
 * Returns the settings of a call. An undefined `accessToken` is rejected, so that it never falls back to the client's.
 *
 * @throws {@link InvalidInputError} when an option is invalid.
 */
export function readCall(
  check: Checks,
  options: Omit<CallOptions, "accessToken"> & { readonly accessToken?: AccessToken | undefined },
  defaults: Defaults,
): CallSettings {
  const { timeout, totalTimeout = defaults.totalTimeout } = options;
  const maxBytes = options.maxResponseBytes ?? defaults.maxResponseBytes;
  return {
    signal: check.signal(options.signal),
    timeout: check.integer("timeout", timeout ?? defaults.timeout, 1),
    totalTimeout: totalTimeout === undefined ? undefined : check.integer("totalTimeout", totalTimeout, 1),
    maxRetries: check.integer("maxRetries", options.maxRetries ?? defaults.maxRetries, 0),
    maxResponseBytes: check.integer("maxResponseBytes", maxBytes, 1, Number.MAX_SAFE_INTEGER),
    accessToken: checkAccessToken(check, "accessToken" in options ? options.accessToken : defaults.accessToken),
    headers: { ...defaults.headers, ...checkHeaders(check, options.headers) },
  };
}

/** Headers that the client sets, in lower case. */
const RESERVED = ["service-version", "authorization", "accept", "content-type"];

/** Checks the caller's headers and returns them with lower-case names. The error never contains a value. */
function checkHeaders(check: Checks, headers: object = {}): Readonly<Record<string, string>> {
  check.must(!(Symbol.iterator in Object(headers)), "headers", "be an object with names and values", headers);
  const checked = new Headers();
  for (const [name, value] of Object.entries(check.object("headers", headers))) {
    const path = `headers[${JSON.stringify(name)}]`;
    if (RESERVED.includes(name.toLowerCase())) throw check.fail(path, "is set by the client");
    let isValid = typeof value === "string";
    try {
      checked.set(name, value);
    } catch {
      isValid = false; // The error quotes the value.
    }
    check.must(isValid, path, "be a valid header: a string without line breaks, under a name without spaces", value);
  }
  return Object.fromEntries(checked);
}

/** Checks the hooks. They are called without their object. */
function checkHooks(check: Checks, hooks: Hooks = {}): Hooks {
  return check.fields("hooks", check.methods("hooks", hooks, HOOKS), HOOKS, "hook");
}

/** Returns the base URL that the options select, without a trailing slash. Does not show one, which may be a token. */
function readBaseUrl(check: Checks, { environment = "production", baseUrl }: ClientOptions): string {
  check.oneOf("environment", environment, Object.keys(ENVIRONMENTS) as Environment[]);
  const url = baseUrl === undefined ? ENVIRONMENTS[environment] : parseBaseUrl(baseUrl);
  const requirement = "be an absolute URL with http: or https:, without credentials, query and fragment";
  check.must(url !== undefined, "baseUrl", requirement, baseUrl);
  return url as string;
}

/**
 * Returns the `User-Agent` header (RFC 9110, section 10.1.5). Returns nothing in browsers: some drop the header, in others
 * it would cause a CORS preflight.
 */
function userAgent(): Readonly<Record<string, string>> {
  // Only the user agents of browsers and their workers start with Mozilla.
  const isBrowser = globalThis.navigator?.userAgent?.startsWith("Mozilla/");
  return isBrowser ? {} : { "user-agent": `billing-service-sdk/${PACKAGE_VERSION}` };
}
