import { ENVIRONMENTS } from "../src/client/options.ts";
import type { SecuritySchemeName } from "../src/contract/index.ts";
import { Checks } from "../src/errors/checks.ts";
import { describeValue } from "../src/errors/describe-value.ts";
import type { ConnectionSettings } from "./connection.ts";
import { versions } from "./generated/versions.ts";

/** A token of the service, for a conformance run. */
export interface ConformanceToken {
  readonly token: string;
  /** The kind of credential. */
  readonly kind: SecuritySchemeName;
  /** The token's scopes. Without this field, the token is assumed to have all scopes. */
  readonly scopes?: readonly string[] | undefined;
  /** The organization for records that the run creates with the token. Defaults to the first that the token can access. */
  readonly organizationId?: string | undefined;
}

/** Receives webhook deliveries in this process. */
export interface ConformanceReceiver {
  /** The URL for the endpoints that the run creates for deliveries. */
  readonly url: string;
  /** Passes each delivery to a function. Returns a function that stops it. */
  readonly receive: (handler: (request: Request) => Promise<Response>) => () => unknown;
}

/** Makes the service send a webhook event of a type to the endpoints of the organization. */
export type Trigger = (type: string, organizationId: string) => unknown;

/** The progress of a run. */
export interface ConformanceProgress {
  /** The check that is starting, and its version. */
  readonly id: string;
  readonly version: string;
  /** The number of finished checks, and of all checks. */
  readonly done: number;
  readonly total: number;
  /** The number of requests that were sent. */
  readonly requests: number;
}

/** Options for `runConformance`. */
export interface ConformanceOptions {
  /** The base URL of the service. */
  readonly baseUrl: string | URL;
  /** The tokens that the run uses. A check that depends on the kind of token needs one of that kind. */
  readonly tokens: readonly ConformanceToken[];
  /** The versions to check. Defaults to every version of the package. */
  readonly versions?: readonly string[] | undefined;
  /** Ids of the rules and assumptions to check; `*` stands for any characters, as in `G-EVT-*`. Defaults to all. */
  readonly only?: readonly string[] | undefined;
  /** Receives deliveries. Without it, deliveries are not observed. */
  readonly receiver?: ConformanceReceiver | undefined;
  /** Makes the service send a webhook event. Without it, deliveries are not observed. */
  readonly trigger?: Trigger | undefined;
  /**
   * Whether the run may create endpoints and ingest events. Defaults to true for a service on this machine, and to false for
   * any other.
   */
  readonly allowWrites?: boolean | undefined;
  /** The function that sends requests, such as `mock.fetch`. Defaults to the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The id of a customer for the run's events, if the service rejects unknown customers. */
  readonly customerId?: string | undefined;
  /** The id of an existing endpoint, which is only read. Needed if the run cannot create one. */
  readonly endpointId?: string | undefined;
  /** Origins to try for CORS. */
  readonly origins?: readonly string[] | undefined;
  /** Metadata keys to try objects under, in addition to `_cost` and `_llm`. */
  readonly metadataKeys?: readonly string[] | undefined;
  /**
   * Maximum time to wait for every retry of failed events, in minutes; the run stops waiting when the service disables the
   * endpoint. Without it, only the first retry is observed. With the mock's default retries, the last attempt is made after
   * about 20 minutes.
   */
  readonly retryMinutes?: number | undefined;
  /** Whether `baseUrl` may have this package's production host. Defaults to false. */
  readonly allowProduction?: boolean | undefined;
  /** Maximum number of requests per second. Defaults to 5; for a service on this machine, to `Infinity`. */
  readonly requestsPerSecond?: number | undefined;
  /** Maximum number of requests. Defaults to the maximum that the checks can need. */
  readonly maxRequests?: number | undefined;
  /** Request timeout in milliseconds. Defaults to 10,000. */
  readonly timeout?: number | undefined;
  /** Aborts the run. The endpoints that it created are still disabled. */
  readonly signal?: AbortSignal | undefined;
  /** Waits. Pass a function if the service has its own clock: `(milliseconds) => mock.clock.advance({ milliseconds })`. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<unknown>) | undefined;
  /** Called before each check. */
  readonly onProgress?: ((progress: ConformanceProgress) => void) | undefined;
}

/** The settings of a run: its options, checked and with their defaults. */
export interface Settings extends ConnectionSettings {
  readonly maxRequests: number | undefined;
  readonly ownFetch: boolean;
  readonly tokens: readonly ConformanceToken[];
  readonly versions: readonly string[];
  readonly only: readonly string[];
  readonly allowWrites: boolean;
  readonly customerId: string | undefined;
  readonly endpointId: string | undefined;
  readonly origins: readonly string[];
  readonly metadataKeys: readonly string[];
  readonly retryMinutes: number | undefined;
  readonly receiver: ConformanceReceiver | undefined;
  readonly trigger: Trigger | undefined;
}

/** Ten days. */
export const MAX_RETRY_MINUTES = 14_400;

const OPTIONS: readonly (keyof ConformanceOptions)[] = [
  "baseUrl",
  "tokens",
  "versions",
  "only",
  "receiver",
  "trigger",
  "allowWrites",
  "fetch",
  "customerId",
  "endpointId",
  "origins",
  "metadataKeys",
  "retryMinutes",
  "allowProduction",
  "requestsPerSecond",
  "maxRequests",
  "timeout",
  "signal",
  "sleep",
  "onProgress",
];

const KINDS = ["oidc", "pat", "oat"] as const;

/** The names of the versions of the package, oldest first. */
const known: readonly string[] = versions.map(({ contract }) => contract.version);

/**
 * Checks the options of `runConformance` and `planConformance`.
 *
 * @throws InvalidInputError when an option is unknown or invalid, or the production environment is not allowed.
 */
export function readOptions(options: ConformanceOptions, caller: string): Settings {
  const check = new Checks({ caller });
  const given = check.fields("options", options, OPTIONS);
  const baseUrl = readBaseUrl(check, given);
  const isLocal = isThisMachine(baseUrl);
  const { requestsPerSecond = isLocal ? Number.POSITIVE_INFINITY : 5, sleep = wait, signal } = given;
  check.must(requestsPerSecond > 0, "requestsPerSecond", "be a number above 0", requestsPerSecond, describeValue);
  const { maxRequests, retryMinutes, customerId, endpointId } = given;
  if (maxRequests !== undefined) check.integer("maxRequests", maxRequests, 0);
  if (retryMinutes !== undefined) check.integer("retryMinutes", retryMinutes, 1, MAX_RETRY_MINUTES);
  for (const [name, id] of Object.entries({ customerId, endpointId }))
    if (id !== undefined) check.must(typeof id === "string" && /^[\w.:-]+$/.test(id), name, "be an id", id);
  return {
    baseUrl: baseUrl.href.replace(/\/$/, ""),
    tokens: readTokens(check, given.tokens),
    versions: readNames(
      check,
      "versions",
      given.versions ?? known,
      (each) => known.includes(each),
      `some of ${known.join(", ")}`,
    ),
    only: readNames(
      check,
      "only",
      given.only ?? ["*"],
      (each) => /^[\w*:-]+$/.test(each),
      "ids, such as ERR-3 or G-EVT-*",
    ),
    allowWrites: check.boolean("allowWrites", given.allowWrites ?? isLocal),
    fetch: check.function("fetch", given.fetch ?? globalThis.fetch),
    ownFetch: given.fetch !== undefined,
    requestsPerSecond,
    maxRequests,
    retryMinutes,
    customerId,
    endpointId: endpointId?.toLowerCase(),
    origins: readNames(check, "origins", given.origins ?? [], isOrigin, "origins, such as https://app.example"),
    metadataKeys: readNames(check, "metadataKeys", given.metadataKeys ?? [], () => true, "keys"),
    timeout: check.integer("timeout", given.timeout ?? 10_000, 1),
    sleep: (milliseconds, cleanup = false) => {
      const interruption = cleanup ? undefined : signal;
      return unlessAborted(interruption, check.function("sleep", sleep)(milliseconds, interruption));
    },
    signal: check.signal(signal),
    receiver: given.receiver,
    trigger: given.trigger,
  };
}

function readTokens(check: Checks, tokens: readonly ConformanceToken[]): readonly ConformanceToken[] {
  check.must(Array.isArray(tokens), "tokens", "be an array of tokens", tokens);
  for (const [index, given] of tokens.entries()) {
    const path = `tokens[${index}]`;
    const {
      token,
      kind,
      scopes = [],
      organizationId = "",
    } = check.fields(path, given, ["token", "kind", "scopes", "organizationId"], "field");
    const isToken = typeof token === "string" && /^[\x21-\x7e]+$/.test(token);
    check.must(isToken, `${path}.token`, "be a token of visible ASCII characters", token);
    check.oneOf(`${path}.kind`, kind, KINDS);
    readNames(check, `${path}.scopes`, scopes, () => true, "names of scopes");
    check.must(typeof organizationId === "string", `${path}.organizationId`, "be a string", organizationId);
  }
  return tokens;
}

function readNames(
  check: Checks,
  path: string,
  names: readonly string[],
  fits: (name: string) => boolean,
  what: string,
): readonly string[] {
  const areNames = Array.isArray(names) && names.every((name) => typeof name === "string" && fits(name));
  const received = Array.isArray(names) ? names.join(", ") : names;
  check.must(areNames, path, `be an array of ${what}`, received, describeValue);
  return names;
}

function readBaseUrl(check: Checks, { baseUrl, allowProduction = false }: ConformanceOptions): URL {
  const url = URL.parse(String(baseUrl));
  const isPlain =
    url !== null && /^https?:$/.test(url.protocol) && !/[?#]/.test(url.href) && url.username + url.password === "";
  check.must(
    isPlain,
    "baseUrl",
    "be an absolute URL with http: or https:, without credentials, query and fragment",
    baseUrl,
  );
  const isProduction = url?.hostname.replace(/\.$/, "") === new URL(ENVIRONMENTS.production).hostname;
  if (!isProduction || check.boolean("allowProduction", allowProduction)) return url as URL;
  throw check.fail("baseUrl", "is the production environment: pass `allowProduction: true` to check it");
}

/** Returns whether a string is an origin, such as `https://app.example`. */
export function isOrigin(name: string): boolean {
  return URL.canParse(name) && new URL(name).origin === name;
}

/** Returns whether a URL leads to this machine. */
export function isThisMachine({ hostname }: URL): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function wait(milliseconds: number, signal?: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}

/** Waits for a promise, or until the signal aborts. */
function unlessAborted(signal: AbortSignal | undefined, waiting: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener("abort", () => resolve(), { once: true });
    waiting.then(() => resolve(), reject);
  });
}
