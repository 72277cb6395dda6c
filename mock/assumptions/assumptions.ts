import { ENVIRONMENTS } from "../../src/client/options.ts";
import type { SecuritySchemeName } from "../../src/contract/index.ts";
import {
  amount,
  atLeast,
  finite,
  from,
  integerFrom,
  isOrigin,
  oneOf,
  orNull,
  status,
  texts,
} from "../options/field-kinds.ts";
import { deepFreeze, frozenJson } from "../options/frozen.ts";
import {
  type FieldKind,
  formatValue,
  isObject,
  omitUndefined,
  requireShape,
  type Shape,
  unknownName,
} from "../options/shape.ts";
import { MAX_DELAY } from "../time/timers.ts";

/** The variants of the authorization lookup. */
export type AuthorizeVariant = "user" | "organization";

/** A limit on requests in time windows of fixed length. */
export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** Settings for retrying failed deliveries (G-RETRY). The delay doubles after each failure. */
export interface RetryPolicy {
  /** Maximum number of attempts for an event. From 1 to 1,000, so that retries end. */
  readonly attempts: number;
  /** Timeout of an attempt in milliseconds, including the response body. */
  readonly timeoutMs: number;
  /** Delay after the first failure, in milliseconds. At most 2,147,483,647 (24.8 days), as for `setTimeout`. */
  readonly firstDelayMs: number;
  /** Longest delay, in milliseconds. At most 2,147,483,647. */
  readonly maxDelayMs: number;
  /** The part of the delay, from 0 to 1, by which it may be shortened at random. */
  readonly jitter: number;
}

/**
 * The assumptions that the mock makes where the specification leaves something open. Each field is an entry of the list in
 * `docs/rules.md`, under the id at the beginning of its description. Change an assumption with
 * `createMock({ assumptions: { … } })`; what you leave out keeps its default. All are JSON values, so a file can hold them.
 */
export interface Assumptions {
  /** G-BASE: the base URLs of the service, in addition to any `baseUrl`. They use names reserved by RFC 2606. */
  readonly baseUrls: readonly string[];
  /** G-BODY-MAX: the maximum size of a body in bytes. */
  readonly maxBodyBytes: number;
  /** G-LENGTH: a POST, PUT or PATCH over a socket without a `Content-Length` header; `reject` answers 411. */
  readonly bodyWithoutLength: "accept" | "reject";
  /**
   * G-RATE: the number of requests that a credential may send in a time window; null for no limit. Requests without a valid
   * credential are counted together.
   */
  readonly rateLimit: RateLimit | null;
  /** G-CORS: the origins whose pages may use the service, or `"*"` for all; none by default. */
  readonly cors: "*" | readonly string[];
  /** G-404-VER: the `Service-Version` of the response to an unsupported version: Current, or none. */
  readonly unsupportedVersionHeader: "current" | "none";
  /** G-422-MAX: the maximum number of problems in a 422; the last one says how many more there are. */
  readonly maxProblems: number;
  /** G-NULL: null in an optional field that is not nullable; `accept` treats it as left out. */
  readonly nullFields: "reject" | "accept";
  /** G-FIELDS: fields that the contract does not define. */
  readonly unknownFields: "ignore" | "reject";
  /** G-CONTENT-TYPE: a body whose `Content-Type` is not JSON. */
  readonly otherContentTypes: "reject" | "accept";
  /** G-EMPTY: a batch without events, and an update of an endpoint without fields. */
  readonly emptyBodies: "accept" | "reject";
  /** G-EVT-ORG: `organization_id` in a request, by the kind of credential. */
  readonly organizationField: Readonly<Record<SecuritySchemeName, "optional" | "required" | "forbidden">>;
  /** G-ING-STATUS: the status of a successful ingest; null for the contract's own, 200. */
  readonly ingestStatus: number | null;
  /** G-EVT-REQ: fields that every event needs in addition to those that the contract requires. */
  readonly requiredEventFields: readonly string[];
  /** G-MEMBER: fields of an event that must be UUIDs, for example `member_id`. */
  readonly uuidEventFields: readonly string[];
  /** G-EVT-REQ: the length of an event's name in characters; null for no limit. */
  readonly eventName: { readonly minLength: number; readonly maxLength: number | null };
  /** G-EVT-EXT: events with an `external_customer_id`. */
  readonly externalCustomers: "accept" | "reject";
  /** G-EVT-BOTH: an event with both customer ids; when accepted, `customer_id` counts. */
  readonly bothCustomerIds: "reject" | "accept";
  /** G-EVT-TIME: an event with a timestamp in the future. */
  readonly futureEvents: "accept" | "reject";
  /**
   * G-EVT-META: the metadata of an event. `values` allows any JSON, or only strings, numbers and booleans ("scalars") and,
   * under the keys in `objectKeys`, objects. Lengths are in characters, null for no limit.
   */
  readonly metadata: {
    readonly values: "any" | "scalars";
    readonly objectKeys: readonly string[];
    readonly maxPairs: number | null;
    readonly minKeyLength: number;
    readonly maxKeyLength: number | null;
    readonly minValueLength: number;
    readonly maxValueLength: number | null;
  };
  /** G-EVT-CUST: a `customer_id` that is unknown or belongs to another organization. */
  readonly unknownCustomers: "accept" | "reject";
  /** G-EVT-DUP: events of an organization with the same `external_id`: counted as duplicates, or stored again. */
  readonly duplicateEvents: "skip" | "store";
  /** G-EVT-MAX: the maximum number of events in a batch. */
  readonly maxBatchSize: number;
  /** G-AUT-ORG: the variant for each kind of credential. */
  readonly authorizeVariant: Readonly<Record<SecuritySchemeName, AuthorizeVariant>>;
  /** G-AUT-ORG: whether the kind of credential chooses the variant, or `sub_type` in the query. */
  readonly authorizeSubType: "follow-credential" | "follow-query";
  /** G-AUT-QUERY: an unknown client, and an unknown scope. */
  readonly authorizeQuery: { readonly unknownClient: "reject" | "default"; readonly unknownScope: "reject" | "ignore" };
  /** G-PRODUCTS: the number of products on a page. */
  readonly products: { readonly defaultLimit: number; readonly maxLimit: number };
  /** G-WHE-PATHS: whether endpoints can be created and updated. */
  readonly endpointWrites: "served" | "absent";
  /** G-WHE-VER: the status for an unsupported `api_version`; null for the contract's own, 422. */
  readonly unsupportedApiVersionStatus: number | null;
  /** G-FOREIGN: reading or updating the endpoint of another organization. */
  readonly foreignEndpoint: "not-found" | "forbidden";
  /** G-WHE-URL: the URLs that an endpoint may have. */
  readonly endpointUrl: {
    readonly protocols: readonly string[];
    readonly credentials: "reject" | "accept";
    /** `public` rejects this machine and private networks. Host names are not resolved. */
    readonly hosts: "any" | "public";
  };
  /** G-WHE-URL: names of hosts that deliveries may go to in addition to this machine. Empty by default. */
  readonly deliverTo: readonly string[];
  /** G-RETRY: the number of attempts, the timeout of an attempt, and the delays after failures. */
  readonly retry: RetryPolicy;
  /** G-DISABLE: the number of consecutive failed events after which an endpoint is disabled; null for never. */
  readonly disableAfter: number | null;
  /** G-REMOVED: deliveries to an endpoint whose version was removed by a release. */
  readonly removedVersions: "keep-delivering" | "stop";
}

/** Whether a setting is a group: an object whose fields can be set one at a time. */
type IsGroup<Setting> = [Setting] extends [readonly unknown[]]
  ? false
  : [Setting] extends [object]
    ? string extends keyof Setting
      ? false
      : true
    : false;

/** Assumptions of which any may be left out, including single fields of a group. */
export type PartialPolicy<Policy> = {
  readonly [Name in keyof Policy]?:
    | (IsGroup<Policy[Name]> extends true ? Partial<Policy[Name]> : Policy[Name])
    | undefined;
};

/** Assumptions that differ from the defaults. Of an assumption with several fields, each can be set separately. */
export type AssumptionChoices = PartialPolicy<Assumptions>;

/** The default of an assumption, and its valid values. The fields of a group can be set one at a time. */
interface Row<Value> {
  readonly value: Value;
  readonly kind: FieldKind | { readonly fields: Shape };
}

function row<Value>(value: Value, kind: FieldKind): Row<Value> {
  return { value, kind };
}

function group<Value extends object>(
  fields: {
    readonly [Name in keyof Value]: readonly [value: Value[Name], kind: FieldKind];
  },
): Row<Value> {
  const entries = Object.entries<readonly [unknown, FieldKind]>(fields);
  return {
    value: Object.fromEntries(entries.map(([name, [value]]) => [name, value])) as Value,
    kind: { fields: Object.fromEntries(entries.map(([name, [, kind]]) => [name, kind])) },
  };
}

const acceptOrReject = oneOf("accept", "reject");
const presence = oneOf("optional", "required", "forbidden");
const variant = oneOf("user", "organization");
const limit = orNull(amount);
const delay = from(0, MAX_DELAY);

const rateLimit: FieldKind = orNull({
  name: "an object with only `requests`, an integer of at least 0, and `windowSeconds`, a number above 0",
  fits: (value) => {
    if (!isObject(value)) return false;
    const { requests, windowSeconds, ...others } = value;
    const isPositive = finite.fits(windowSeconds) && (windowSeconds as number) > 0;
    return isPositive && atLeast(0).fits(requests) && Object.keys(others).length === 0;
  },
});

const protocols: FieldKind = {
  name: 'an array of "http:" or "https:"',
  fits: (value) => Array.isArray(value) && value.every(oneOf("http:", "https:").fits),
};

/** Names of hosts in the form in which a URL has them, in any case. */
const hosts: FieldKind = {
  name: 'an array of names of hosts, as in ["staging.example.com"]',
  fits: (value) => Array.isArray(value) && value.every(isHost),
};

function isHost(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(`http://${value}`)) return false;
  return new URL(`http://${value}`).hostname === value.toLowerCase();
}

const origins: FieldKind = {
  name: '"*" or an array of origins, as in ["http://localhost:5173"]',
  fits: (value) => value === "*" || (Array.isArray(value) && value.every(isOrigin)),
};

/** The default and the valid values of every assumption. */
const TABLE: { readonly [Name in keyof Assumptions]: Row<Assumptions[Name]> } = {
  baseUrls: row(Object.values(ENVIRONMENTS), texts),
  maxBodyBytes: row(10 * 1024 * 1024, amount),
  bodyWithoutLength: row("accept", acceptOrReject),
  rateLimit: row(null, rateLimit),
  cors: row([], origins),
  unsupportedVersionHeader: row("current", oneOf("current", "none")),
  maxProblems: row(100, atLeast(1)),
  nullFields: row("reject", acceptOrReject),
  unknownFields: row("ignore", oneOf("ignore", "reject")),
  otherContentTypes: row("reject", acceptOrReject),
  emptyBodies: row("accept", acceptOrReject),
  organizationField: group({ oidc: ["optional", presence], pat: ["optional", presence], oat: ["optional", presence] }),
  ingestStatus: row(null, orNull(status)),
  requiredEventFields: row([], texts),
  uuidEventFields: row([], texts),
  eventName: group({ minLength: [0, amount], maxLength: [null, limit] }),
  externalCustomers: row("accept", acceptOrReject),
  bothCustomerIds: row("reject", acceptOrReject),
  futureEvents: row("accept", acceptOrReject),
  metadata: group({
    values: ["any", oneOf("any", "scalars")],
    objectKeys: [[], texts],
    maxPairs: [null, limit],
    minKeyLength: [0, amount],
    maxKeyLength: [null, limit],
    minValueLength: [0, amount],
    maxValueLength: [null, limit],
  }),
  unknownCustomers: row("accept", acceptOrReject),
  duplicateEvents: row("skip", oneOf("skip", "store")),
  maxBatchSize: row(10_000, amount),
  authorizeVariant: group({ oidc: ["user", variant], pat: ["user", variant], oat: ["organization", variant] }),
  authorizeSubType: row("follow-credential", oneOf("follow-credential", "follow-query")),
  authorizeQuery: group({
    unknownClient: ["reject", oneOf("reject", "default")],
    unknownScope: ["reject", oneOf("reject", "ignore")],
  }),
  products: group({ defaultLimit: [10, atLeast(1)], maxLimit: [100, atLeast(1)] }),
  endpointWrites: row("served", oneOf("served", "absent")),
  unsupportedApiVersionStatus: row(null, orNull(status)),
  foreignEndpoint: row("not-found", oneOf("not-found", "forbidden")),
  endpointUrl: group({
    protocols: [["https:", "http:"], protocols],
    credentials: ["reject", acceptOrReject],
    hosts: ["any", oneOf("any", "public")],
  }),
  deliverTo: row([], hosts),
  retry: group({
    attempts: [10, integerFrom(1, 1_000)],
    timeoutMs: [10_000, amount],
    firstDelayMs: [2_000, delay],
    maxDelayMs: [20 * 60_000, delay],
    jitter: [0.5, from(0, 1)],
  }),
  disableAfter: row(10, limit),
  removedVersions: row("keep-delivering", oneOf("keep-delivering", "stop")),
};

const rows: Readonly<Record<string, Row<unknown>>> = TABLE;

/** The assumptions that the mock makes by default. */
export const defaultAssumptions: Assumptions = deepFreeze(
  Object.fromEntries(Object.entries(rows).map(([name, { value }]) => [name, value])) as unknown as Assumptions,
);

/** The maximum nesting depth of an assumption. */
const MAX_DEPTH = 50;

/**
 * Returns the assumptions of a mock: the defaults, with the given ones in their place.
 *
 * @throws TypeError when an assumption is unknown or has an invalid value.
 */
export function readAssumptions(given: AssumptionChoices = {}): Assumptions {
  requireShape("createMock: `assumptions`", given, undefined);
  const chosen = Object.entries(omitUndefined(given)).map(([name, value]) => [name, readAssumption(name, value)]);
  const all = { ...defaultAssumptions, ...Object.fromEntries(chosen) };
  return frozenJson(all, "createMock: assumptions", MAX_DEPTH) as Assumptions;
}

function readAssumption(name: string, given: unknown): unknown {
  const found = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (!found) throw new TypeError(`createMock: ${unknownName("assumption", name, Object.keys(rows))}`);
  const { value, kind } = found;
  const place = `createMock: \`assumptions.${name}\``;
  if ("fields" in kind) {
    requireShape(place, given, kind.fields);
    return { ...(value as object), ...omitUndefined(given as object) };
  }
  if (kind.fits(given)) return given;
  throw new TypeError(`${place} must be ${kind.name}; received ${formatValue(given)}.`);
}
