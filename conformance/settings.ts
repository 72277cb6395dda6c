import { contract as current } from "#current";
import { contract as deprecated } from "#deprecated";
import { contract as next } from "#next";
import type { Contract, SecuritySchemeName } from "../src/contract/index.ts";
import { isLoopback } from "../src/values/urls.ts";
import { wait } from "../src/values/wait.ts";

/** The contracts of the package's versions, oldest first. */
export const contracts: readonly Contract[] = [deprecated, current, next];

/** The kinds of credential, in the order in which a request without a token tries them. */
export const KINDS = ["oat", "pat", "oidc"] as const;

/** A token of the service. */
export interface ConformanceToken {
  readonly token: string;
  readonly kind: SecuritySchemeName;
  /** The token's scopes. Without this field, the token is assumed to have all scopes. */
  readonly scopes?: readonly string[] | undefined;
  /** The organization for records that the run creates with the token. Defaults to the first that the token can access. */
  readonly organizationId?: string | undefined;
}

/** Receives webhook deliveries in this process. */
export interface ConformanceReceiver {
  /** The URL below which the endpoints that the run creates receive deliveries. */
  readonly url: string;
  /** Passes each delivery to a URL below `url` to a function. Returns a function that stops it. */
  readonly receive: (url: string, handler: (request: Request) => Promise<Response>) => () => unknown;
}

/** Makes the service send a webhook event of a type to the endpoints of the organization. */
export type Trigger = (type: string, organizationId: string) => unknown;

/** The settings of a run. */
export interface Settings {
  /** The base URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** The tokens that the run uses. A check that depends on the kind of token needs one of that kind. */
  readonly tokens: readonly ConformanceToken[];
  /** The versions to check. Defaults to every version of the package. */
  readonly versions: readonly string[];
  /** Ids of the rules and assumptions to check; `*` stands for any characters, as in `G-EVT-*`. Defaults to all. */
  readonly only: readonly string[];
  /** Receives deliveries. Without it, deliveries are not observed. */
  readonly receiver?: ConformanceReceiver | undefined;
  /** Makes the service send a webhook event. Without it, deliveries are not observed. */
  readonly trigger?: Trigger | undefined;
  /** Whether the run may create endpoints and ingest events. Defaults to true. */
  readonly allowWrites: boolean;
  /** Sends the requests. Defaults to the global `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** The organization of tokens that name none. */
  readonly organizationId?: string | undefined;
  /** The query of `GET /v1/oauth2/authorize`, such as `client_id=…&redirect_uri=…`, if the service needs one. */
  readonly authorizeQuery?: string | undefined;
  /** Types of the events that `trigger` can send: two, so that an endpoint can be subscribed to one of them. Defaults to any. */
  readonly eventTypes: readonly string[];
  /** The id of a customer for the run's events, if the service rejects unknown customers. */
  readonly customerId?: string | undefined;
  /** The id of an existing endpoint, which is only read. Needed if the run cannot create one. */
  readonly endpointId?: string | undefined;
  /** Maximum number of requests per second. Defaults to 5; for a service on this machine, to `Infinity`. */
  readonly requestsPerSecond: number;
  /** Request timeout in milliseconds. Defaults to 10,000. */
  readonly timeout: number;
  /** Aborts the run. The endpoints that it created are still disabled. */
  readonly signal?: AbortSignal | undefined;
  /** Waits for the given time. A service with its own clock, such as a mock, may advance it instead. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => unknown;
  /** Called before each check, with its number, its name and the number of requests, in words. */
  readonly onProgress?: ((status: string) => void) | undefined;
}

/** Options for a run. What is undefined has its default. */
export type ConformanceOptions = Pick<Settings, "baseUrl" | "tokens"> & {
  readonly [Name in keyof Settings]?: Settings[Name] | undefined;
};

/** Returns the settings of a run: its options, and the defaults. */
export function settingsOf(options: ConformanceOptions): Settings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return {
    versions: contracts.map(({ version }) => version),
    only: ["*"],
    eventTypes: [],
    allowWrites: true,
    requestsPerSecond: isLoopback(new URL(options.baseUrl).hostname) ? Number.POSITIVE_INFINITY : 5,
    timeout: 10_000,
    fetch: globalThis.fetch,
    sleep: wait,
    ...(given as typeof options & Partial<Settings>),
  };
}
