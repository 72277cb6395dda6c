import type { SecuritySchemeName } from "../src/contract/index.ts";
import { Checks } from "../src/errors/checks.ts";
import { describeType, describeValue } from "../src/values/describe.ts";
import { isLoopback, isOrigin, parseBaseUrl, parseWebUrl } from "../src/values/urls.ts";
import { wait, within } from "../src/values/wait.ts";
import { NotObservable } from "./outcome.ts";
import { versions } from "./versions.ts";

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
  /** Passes each delivery, and no other request, to a function. Returns a function that stops it. */
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
  /** The organization of tokens that name none. */
  readonly organizationId?: string | undefined;
  /** The query of `GET /v1/oauth2/authorize`, such as `client_id=…&redirect_uri=…`, if the service needs one. */
  readonly authorizeQuery?: string | undefined;
  /** Types of the events that `trigger` can send: two, so that an endpoint can be subscribed to one of them. Defaults to any. */
  readonly eventTypes?: readonly string[] | undefined;
  /** The id of a customer for the run's events, if the service rejects unknown customers. */
  readonly customerId?: string | undefined;
  /** The id of an existing endpoint, which is only read. Needed if the run cannot create one. */
  readonly endpointId?: string | undefined;
  /** Origins to try for CORS. */
  readonly origins?: readonly string[] | undefined;
  /**
   * Maximum time to wait for every retry of failed events, in minutes; the run stops waiting when the service disables the
   * endpoint. Without it, only the first retry is observed. With the mock's default retries, the last attempt is made after
   * about 20 minutes.
   */
  readonly retryMinutes?: number | undefined;
  /** Maximum number of requests per second. Defaults to 5; for a service on this machine, to `Infinity`. */
  readonly requestsPerSecond?: number | undefined;
  /** Maximum number of requests. Defaults to the maximum that the checks can need. */
  readonly maxRequests?: number | undefined;
  /** Request timeout in milliseconds. Defaults to 10,000. */
  readonly timeout?: number | undefined;
  /** Aborts the run. The endpoints that it created are still disabled. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Waits for the given time; a call that takes more than two minutes longer has failed. Pass a function if the service has
   * its own clock: `(milliseconds) => mock.clock.advance({ milliseconds })`.
   */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<unknown>) | undefined;
  /** Called before each check. */
  readonly onProgress?: ((progress: ConformanceProgress) => void) | undefined;
}

type Defaults =
  | "only"
  | "allowWrites"
  | "origins"
  | "eventTypes"
  | "fetch"
  | "timeout"
  | "requestsPerSecond"
  | "sleep"
  | "versions";

type Given = { readonly [Name in keyof ConformanceOptions]: Exclude<ConformanceOptions[Name], undefined> };

/** The settings of a run: its options, checked and with their defaults. */
export type Settings = Omit<Given, "baseUrl"> &
  Required<Pick<Given, Defaults>> & {
    /** The base URL without a trailing slash. */
    readonly baseUrl: string;
    readonly ownFetch: boolean;
  };

/** Ten days. */
export const MAX_RETRY_MINUTES = 14_400;

/** The kinds of credential, in the order in which a request without a token tries them. */
export const KINDS = ["oat", "pat", "oidc"] as const;
/** The fields of a token. */
export const TOKEN_FIELDS = ["kind", "token", "scopes", "organizationId"] as const;

/** The names of the versions of the package, oldest first. */
const known: readonly string[] = versions.map(({ contract }) => contract.version);

/** The event types of all versions. */
const types: ReadonlySet<string> = new Set(versions.flatMap(({ contract }) => [...contract.webhookEventTypes]));

/** A check of an option's value, which throws unless the value is valid. */
type Validate = (check: Checks, path: string, value: never) => unknown;

const id: Validate = (check, path, value) =>
  check.must(typeof value === "string" && /^[\w.:-]+$/.test(value), path, "be an id", value);

const names =
  (what: string, fits: (name: string) => boolean = () => true, describe = describeNames): Validate =>
  (check, path, value: readonly string[]) => {
    const areNames = Array.isArray(value) && value.every((name) => typeof name === "string" && fits(name));
    check.must(areNames, path, `be an array of ${what}`, value, describe);
  };

const describeNames = (value: unknown) => describeValue(String(value));

const integer =
  (least: number, most?: number): Validate =>
  (check, path, value) =>
    check.integer(path, value, least, most);

const boolean: Validate = (check, path, value) => check.boolean(path, value);
const callable: Validate = (check, path, value) => check.function(path, value);

/** Every option, and the check of its value. */
const VALID: Readonly<Record<keyof ConformanceOptions, Validate>> = {
  baseUrl: requireBaseUrl,
  tokens: requireTokens,
  versions: names(`some of ${known.join(", ")}`, (name) => known.includes(name)),
  only: names("ids, such as ERR-3 or G-EVT-*", (name) => /^[\w*:-]+$/.test(name)),
  receiver: (check, path, value: ConformanceReceiver) => {
    const { url } = check.methods(path, value, ["receive"], true);
    check.must(parseWebUrl(url) !== undefined, path, "have an absolute `url` without credentials", url);
  },
  trigger: callable,
  allowWrites: boolean,
  fetch: callable,
  organizationId: id,
  authorizeQuery: (check, path, value) =>
    check.must(/^[\w.~%!*'()+;:@,/?=&-]+$/.test(value), path, "be the query of a URL, without a question mark", value),
  eventTypes: names("event types", (name) => types.has(name)),
  customerId: id,
  endpointId: id,
  origins: names("origins, such as https://app.example", isOrigin, describeType),
  retryMinutes: integer(1, MAX_RETRY_MINUTES),
  requestsPerSecond: (check, path, value) => check.must(value > 0, path, "be a number above 0", value, describeValue),
  maxRequests: integer(0),
  timeout: integer(1),
  signal: (check, _path, value) => check.signal(value),
  sleep: callable,
  onProgress: callable,
};

/**
 * Checks the options of `runConformance` and `planConformance`.
 *
 * @throws InvalidInputError when an option is unknown or invalid.
 */
export function readOptions(options: ConformanceOptions, caller: string): Settings {
  const check = new Checks({ caller });
  const fields = check.fields("options", options, Object.keys(VALID));
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  for (const [name, validate] of Object.entries(VALID))
    if (name in given || name === "tokens" || name === "baseUrl") validate(check, name, given[name] as never);
  const { baseUrl, endpointId } = given as ConformanceOptions;
  const isLocal = isLoopback(new URL(baseUrl).hostname);
  return {
    versions: known,
    only: ["*"],
    origins: [],
    eventTypes: [],
    allowWrites: isLocal,
    requestsPerSecond: isLocal ? Number.POSITIVE_INFINITY : 5,
    timeout: 10_000,
    fetch: globalThis.fetch,
    sleep: wait,
    ...(given as Given),
    ...(endpointId && { endpointId: endpointId.toLowerCase() }),
    baseUrl: parseBaseUrl(baseUrl) as string,
    ownFetch: given["fetch"] !== undefined,
  };
}

function requireTokens(check: Checks, path: string, tokens: readonly ConformanceToken[]): void {
  check.must(Array.isArray(tokens), path, "be an array of tokens", tokens);
  for (const [index, given] of tokens.entries()) {
    const at = `${path}[${index}]`;
    const fields = check.fields(at, given, TOKEN_FIELDS, "field");
    const { token, kind, scopes = [], organizationId = "" } = fields;
    const isToken = typeof token === "string" && /^[\x21-\x7e]+$/.test(token);
    check.must(isToken, `${at}.token`, "be a token of visible ASCII characters", token);
    // A value may be a token in the wrong field, so no message shows one.
    check.must(KINDS.includes(kind), `${at}.kind`, `be one of ${KINDS.join(", ")}`, kind);
    names("names of scopes", undefined, describeType)(check, `${at}.scopes`, scopes as never);
    check.must(typeof organizationId === "string", `${at}.organizationId`, "be a string", organizationId);
  }
}

function requireBaseUrl(check: Checks, path: string, baseUrl: string | URL): void {
  const requirement = "be an absolute URL with http: or https:, without credentials, query and fragment";
  check.must(parseBaseUrl(baseUrl) !== undefined, path, requirement, baseUrl);
}

/** The maximum time that a caller's function may take in addition to the time that it waits, in milliseconds. */
const LONGEST_CALL = 120_000;

/**
 * Calls a caller's function, and waits until it has finished or the signal aborts.
 *
 * @throws NotObservable if the function fails or takes too long.
 */
export async function finished(
  name: "trigger" | "sleep",
  call: () => unknown,
  signal: AbortSignal | undefined,
  milliseconds = 0,
): Promise<void> {
  const most = milliseconds + LONGEST_CALL;
  const done = () =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) resolve(undefined);
      signal?.addEventListener("abort", resolve, { once: true });
      Promise.resolve(call()).then(resolve, reject);
    });
  try {
    await within(most, done, () => new Error(`it did not finish within ${most / 1000} s`));
  } catch (error) {
    if (error instanceof NotObservable) throw error;
    throw new NotObservable(`the ${name} failed: ${(error as Error | undefined)?.message ?? error}`);
  }
}
