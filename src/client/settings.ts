import { Checks, LONGEST_DELAY } from "../errors/checks.ts";
import { describeType, describeValue } from "../values/describe.ts";
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

const ON_MISMATCH: readonly OnMismatch[] = ["throw", "warn", "ignore"];

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
    baseUrl: readBaseUrl(options),
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
  const { timeout = defaults.timeout, totalTimeout = defaults.totalTimeout } = options;
  for (const [name, value] of Object.entries({ timeout, totalTimeout })) {
    const isTime = value === undefined || (typeof value === "number" && value > 0 && value <= LONGEST_DELAY);
    check.must(isTime, name, `be a number greater than 0 and at most ${LONGEST_DELAY}`, value, describeValue);
  }
  const maxBytes = options.maxResponseBytes ?? defaults.maxResponseBytes;
  return {
    signal: check.signal(options.signal),
    timeout,
    totalTimeout,
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
  const isPlain = describeType(headers) === "object" && !(Symbol.iterator in headers);
  check.must(isPlain, "headers", "be an object with names and values", headers);
  const checked = Object.entries(headers).map(([name, value]: [string, unknown]): [string, string] => {
    const [lower, path] = [name.toLowerCase(), `headers[${JSON.stringify(name)}]`];
    const problem = RESERVED.includes(lower)
      ? "is set by the client; for another token, pass accessToken; for another version, import it"
      : "must be a valid header: a string without line breaks, under a name without spaces";
    if (RESERVED.includes(lower) || !isHeader(name, value)) throw check.fail(path, problem);
    return [lower, value as string];
  });
  return Object.fromEntries(checked);
}

function isHeader(name: string, value: unknown): boolean {
  try {
    return typeof value === "string" && new Headers([[name, value]]).has(name);
  } catch {
    return false; // The error quotes the value.
  }
}

/** Checks the hooks. An instance of a class may have other members. */
function checkHooks(check: Checks, hooks: Hooks = {}): Hooks {
  check.methods("hooks", hooks, HOOKS);
  return Object.getPrototypeOf(hooks) === Object.prototype ? check.fields("hooks", hooks, HOOKS, "hook") : hooks;
}

/** Returns the base URL that the options select, without a trailing slash. Does not show one, which may be a token. */
export function readBaseUrl({
  environment = "production",
  baseUrl,
}: Pick<ClientOptions, "environment" | "baseUrl">): string {
  const check = new Checks({ caller: "createClient" });
  check.oneOf("environment", environment, Object.keys(ENVIRONMENTS) as Environment[]);
  if (baseUrl === undefined) return ENVIRONMENTS[environment];
  const url = parseBaseUrl(baseUrl);
  const requirement = "be an absolute URL with http: or https:, without credentials, query and fragment";
  check.must(url !== undefined, "baseUrl", requirement, baseUrl, (value) =>
    value === "" ? '""' : describeType(value),
  );
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
