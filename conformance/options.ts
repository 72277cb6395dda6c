import { ENVIRONMENTS } from "../src/client/options.ts";
import type { SecuritySchemeName } from "../src/contract/index.ts";
import { Checks } from "../src/errors/checks.ts";
import { describeType, describeValue } from "../src/errors/describe-value.ts";
import type { ConnectionSettings } from "./connection.ts";
import { versions } from "./generated/versions.ts";

/** A token of the service, for a conformance run. */
export interface ConformanceToken {
  readonly token: string;
  /** The kind of credential. */
  readonly kind: SecuritySchemeName;
  /** The scopes of the token. A token without this may have any: it is used as if it had all. */
  readonly scopes?: readonly string[] | undefined;
  /** The organization for records that it creates. Defaults to the first one that it has access to. */
  readonly organizationId?: string | undefined;
}

/** A way for deliveries to reach this process. */
export interface ConformanceReceiver {
  /** The URL of the endpoints that the run creates for deliveries. */
  readonly url: string;
  /** Passes each delivery to a function. Returns a function that ends this. */
  readonly receive: (handler: (request: Request) => Promise<Response>) => () => unknown;
}

/** Makes the service send a webhook event of a type to the endpoints of the organization. */
export type Trigger = (type: string, organizationId: string) => unknown;

/** The progress of a run. */
export interface ConformanceProgress {
  /** The check that starts, and its version. */
  readonly id: string;
  readonly version: string;
  /** The number of checks that have ended, and of all. */
  readonly done: number;
  readonly total: number;
  /** The number of requests that were sent. */
  readonly requests: number;
}

/** Options for `planConformance`: what a run would check. */
export interface ConformancePlanOptions {
  /** The kinds of token that the run has. */
  readonly tokens: readonly ConformanceToken[];
  /** The versions to check. Defaults to every version of the package. */
  readonly versions?: readonly string[] | undefined;
  /** Ids of the rules and assumptions to check; `*` stands for any characters, as in `G-EVT-*`. Defaults to all. */
  readonly only?: readonly string[] | undefined;
  /** The way for deliveries to reach this process. Without it, they are not observed. */
  readonly receiver?: ConformanceReceiver | undefined;
  /** Makes the service send a webhook event. Without it, deliveries are not observed. */
  readonly trigger?: Trigger | undefined;
  /**
   * Whether the run may create endpoints and ingest events. Defaults to true for this machine, and to false for any other
   * address.
   */
  readonly allowWrites?: boolean | undefined;
}

/** Options for `runConformance`. */
export interface ConformanceOptions extends ConformancePlanOptions {
  /** The base URL of the service. */
  readonly baseUrl: string | URL;
  /** The function that sends requests, such as `mock.fetch`. Defaults to the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The id of a customer that events may be ingested for. */
  readonly customerId?: string | undefined;
  /** Whether `baseUrl` may be the production environment. False by default. */
  readonly allowProduction?: boolean | undefined;
  /** Maximum number of requests per second. Defaults to 5; for this machine, and with `fetch`, there is no limit. */
  readonly requestsPerSecond?: number | undefined;
  /** Maximum number of requests. Defaults to what the checks need at most. */
  readonly maxRequests?: number | undefined;
  /** Timeout of a request in milliseconds, 10,000 by default. */
  readonly timeout?: number | undefined;
  /** Aborts the run. What it created is still disabled. */
  readonly signal?: AbortSignal | undefined;
  /** Waits, for a service with a clock of its own: `(milliseconds) => mock.clock.advance(milliseconds)`. */
  readonly sleep?: ((milliseconds: number) => Promise<unknown>) | undefined;
  /** Called before each check. */
  readonly onProgress?: ((progress: ConformanceProgress) => void) | undefined;
}

/** The settings of a run: its options, checked and with their defaults. */
export interface Settings extends Omit<ConnectionSettings, "maxRequests"> {
  readonly maxRequests: number | undefined;
  readonly ownFetch: boolean;
  readonly tokens: readonly ConformanceToken[];
  readonly versions: readonly string[];
  readonly only: readonly string[];
  readonly allowWrites: boolean;
}

const PLAN_OPTIONS = ["tokens", "versions", "only", "receiver", "trigger", "allowWrites"] as const;
const RUN_OPTIONS = [
  ...PLAN_OPTIONS,
  "baseUrl",
  "fetch",
  "customerId",
  "allowProduction",
  "requestsPerSecond",
  "maxRequests",
  "timeout",
  "signal",
  "sleep",
  "onProgress",
] as const;

const KINDS: readonly string[] = ["oidc", "pat", "oat"];

/**
 * Checks the options of `runConformance`.
 *
 * @throws InvalidInputError when an option is unknown or invalid, or the production environment is not allowed.
 */
export function readOptions(options: ConformanceOptions): Settings {
  const check = new Checks({ caller: "runConformance" });
  check.fields("options", options, RUN_OPTIONS);
  const baseUrl = readBaseUrl(check, options.baseUrl);
  const isLocal = options.fetch !== undefined || isThisMachine(baseUrl);
  const production = new URL(ENVIRONMENTS.production).origin;
  if (baseUrl.origin === production && options.allowProduction !== true && options.fetch === undefined) {
    throw check.fail("baseUrl", "is the production environment: pass `allowProduction: true` to check it");
  }
  const {
    fetch = globalThis.fetch,
    sleep = wait,
    requestsPerSecond = isLocal ? Number.POSITIVE_INFINITY : 5,
  } = options;
  check.must(requestsPerSecond > 0, "requestsPerSecond", "be a number above 0", requestsPerSecond, describeValue);
  if (options.maxRequests !== undefined) check.integer("maxRequests", options.maxRequests, 0);
  return {
    ...readPlanOptions(options, check, isLocal),
    baseUrl: baseUrl.href.replace(/\/$/, ""),
    fetch: check.function("fetch", fetch),
    ownFetch: options.fetch !== undefined,
    requestsPerSecond,
    maxRequests: options.maxRequests,
    timeout: check.integer("timeout", options.timeout ?? 10_000, 1),
    sleep: async (milliseconds) => void (await sleep(milliseconds)),
    signal: options.signal,
  };
}

/** Checks the options that `planConformance` and `runConformance` share. */
export function readPlanOptions(
  options: ConformancePlanOptions,
  check: Checks,
  writes: boolean,
): Pick<Settings, "tokens" | "versions" | "only" | "allowWrites"> {
  const { tokens, only = ["*"], allowWrites = writes, versions: asked = known } = options;
  check.must(Array.isArray(tokens), "tokens", "be an array of tokens", tokens);
  tokens.forEach((token, index) => {
    checkToken(check, token, `tokens[${index}]`);
  });
  const unknown = asked.find((version) => !known.includes(version));
  if (unknown !== undefined)
    throw check.fail("versions", `has unknown version "${unknown}"; expected some of: ${known.join(", ")}`);
  const isPattern = (each: unknown) => typeof each === "string" && /^[\w*-]+$/.test(each);
  check.must(
    Array.isArray(only) && only.every(isPattern),
    "only",
    "be an array of ids, such as ERR-3 or G-EVT-*",
    only,
  );
  return { tokens, versions: asked, only, allowWrites };
}

/** The names of the versions of the package, oldest first. */
const known: readonly string[] = versions.map(({ contract }) => contract.version);

function checkToken(check: Checks, token: ConformanceToken, path: string): void {
  check.fields(path, token, ["token", "kind", "scopes", "organizationId"], "field");
  const isToken = typeof token.token === "string" && /^[\x21-\x7e]+$/.test(token.token);
  check.must(isToken, `${path}.token`, "be a token of visible ASCII characters", token.token);
  check.must(KINDS.includes(token.kind), `${path}.kind`, `be one of: ${KINDS.join(", ")}`, token.kind, describeValue);
  const areScopes =
    token.scopes === undefined ||
    (Array.isArray(token.scopes) && token.scopes.every((each) => typeof each === "string"));
  check.must(areScopes, `${path}.scopes`, "be an array of strings", token.scopes);
  const { organizationId } = token;
  check.must(
    ["string", "undefined"].includes(typeof organizationId),
    `${path}.organizationId`,
    "be a string",
    organizationId,
  );
}

function readBaseUrl(check: Checks, given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(String(given)) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && url.search === "")
    return url;
  const problem = "must be an absolute URL with http: or https:, and without credentials and query";
  throw check.fail("baseUrl", `${problem}; received ${describeType(given)}`);
}

/** Whether a URL leads to this machine. */
export function isThisMachine({ hostname }: URL): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
