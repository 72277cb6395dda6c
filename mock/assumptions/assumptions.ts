import type { SecuritySchemeName } from "../../src/contract/index.ts";
import { isOrigin, parseUrl } from "../../src/values/urls.ts";
import { MAX_DELAY } from "../clock/timers.ts";
import {
  count,
  deepFreeze,
  type FieldType,
  fieldType,
  finite,
  from,
  integerFrom,
  isObject,
  listOf,
  object,
  omitUndefined,
  oneOf,
  orNull,
  type Shape,
  shapeProblems,
  texts,
} from "../options/field-types.ts";

/** A limit on requests per time window. The windows have a fixed length. */
export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** Settings for retrying failed deliveries (G-RETRY). The delay doubles after each failure. */
export interface RetryPolicy {
  /** Maximum number of attempts for an event. From 1 to 1,000, so that retries end. */
  readonly attempts: number;
  /** Timeout of an attempt in milliseconds, including the response body. */
  readonly timeout: number;
  /** Delay after the first failure, in milliseconds. At most 2,147,483,647 (24.8 days), as for `setTimeout`. */
  readonly firstDelay: number;
  /** Maximum delay, in milliseconds. At most 2,147,483,647. */
  readonly maxDelay: number;
  /** The maximum fraction of the delay, from 0 to 1, by which it is shortened at random. */
  readonly jitter: number;
}

/**
 * The assumptions that the mock makes where the specification leaves something open. The id at the start of each description
 * refers to the page "Rules and assumptions" (`docs/rules.md`). Override an assumption with `createMock({ assumptions: { … } })`;
 * the others keep their defaults. All are JSON values, so you can keep them in a file.
 */
export interface Assumptions {
  /** G-BODY-MAX: the maximum size of a body in bytes. */
  readonly maxBodyBytes: number;
  /**
   * G-RATE: the number of requests that a credential may send in a time window; null for no limit. Requests without a valid
   * credential are counted together.
   */
  readonly rateLimit: RateLimit | null;
  /** G-CORS: the origins whose pages may use the service, or `"*"` for all; none by default. */
  readonly cors: "*" | readonly string[];
  /** G-NULL: null in an optional field that is not nullable; `accept`, or a list of fields, treats it as omitted. */
  readonly nullFields: "reject" | "accept" | readonly string[];
  /** G-FIELDS: fields that the contract does not define. */
  readonly unknownFields: "ignore" | "reject";
  /** G-PROTO: strings with NUL or half of a surrogate pair, which many databases cannot store. */
  readonly unstorableText: "accept" | "reject";
  /** G-401-BAD: kinds of credentials that the contract does not name for an operation. */
  readonly otherSchemes: "reject" | "accept";
  /** G-EVT-ORG: `organization_id` in a request, by the kind of credential. */
  readonly organizationField: Readonly<Record<SecuritySchemeName, "optional" | "required" | "forbidden">>;
  /** G-EVT-REQ: fields that every event needs in addition to those that the contract requires. */
  readonly requiredEventFields: readonly string[];
  /** G-MEMBER: fields of an event that must be UUIDs, for example `member_id`. */
  readonly uuidEventFields: readonly string[];
  /** G-EVT-REQ: the length of an event's name in characters; null for no limit. */
  readonly eventName: { readonly minLength: number; readonly maxLength: number | null };
  /** G-EVT-TIME: an event with a timestamp in the future. */
  readonly futureEvents: "accept" | "reject";
  /**
   * G-EVT-META: event metadata. `values` allows any JSON value, or only strings, numbers and booleans ("scalars"). With
   * "scalars", objects are allowed under the keys in `objectKeys`. Lengths are in characters; null for no limit.
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
  /** G-EVT-CUST: a `customer_id` that is unknown or belongs to another organization. Does not apply to `external_customer_id`. */
  readonly unknownCustomers: "accept" | "reject";
  /** G-EVT-DUP: an event with the same `external_id` as an earlier one: counted as a duplicate, or stored again. */
  readonly duplicateEvents: "skip" | "store";
  /** G-EVT-MAX: the maximum number of events in a batch. */
  readonly maxBatchSize: number;
  /** G-FOREIGN: reading or updating another organization's endpoint. */
  readonly foreignEndpoint: "not-found" | "forbidden";
  /** G-WHE-URL: the URLs that an endpoint may have. */
  readonly endpointUrl: {
    readonly protocols: readonly string[];
    /** Accepted credentials are sent as Basic authentication. */
    readonly credentials: "reject" | "accept";
    /** `public` rejects this machine, private networks and names with `_`. Host names are not resolved. */
    readonly hosts: "any" | "public";
    /** In characters; null for no limit. */
    readonly maxLength: number | null;
    /** What is stored: the URL as it was sent, or in the form of the URL standard. */
    readonly stored: "sent" | "normalized";
  };
  /** G-WHE-SECRET: the minimum length of a `secret` in a request, which is ignored otherwise. In characters. */
  readonly minSecretLength: number;
  /** G-WHE-URL: host names that deliveries may go to, in addition to this machine. Empty by default. */
  readonly deliverTo: readonly string[];
  /** G-RETRY: number of attempts, timeout per attempt, and delays after failures. */
  readonly retry: RetryPolicy;
  /** G-DISABLE: the number of consecutive failed events after which an endpoint is disabled; null for never. */
  readonly disableAfter: number | null;
}

/** Assumptions that differ from the defaults. Object-valued assumptions can be set partially. */
export type AssumptionChoices = {
  readonly [Name in keyof Assumptions]?:
    | (Assumptions[Name] extends readonly unknown[] | RateLimit | string | number | null
        ? Assumptions[Name]
        : Partial<Assumptions[Name]>)
    | undefined;
};

/** The default and the valid values of an assumption, or of each field if fields can be set one at a time. */
type Definition<Value> =
  | readonly [byDefault: Value, valid: FieldType]
  | { readonly [Name in keyof Value]: readonly [byDefault: Value[Name], valid: FieldType] };

const acceptOrReject = oneOf("accept", "reject");
const presence = oneOf("optional", "required", "forbidden");
const limit = orNull(count);
const delay = from(0, MAX_DELAY);

const nulls = fieldType(`${acceptOrReject.name} or ${texts.name}`, (value) =>
  [acceptOrReject, texts].some(({ fits }) => fits(value)),
);

const rateLimit = fieldType(
  "an object with only `requests`, an integer of at least 0, and `windowSeconds`, a number above 0",
  (value) => {
    const { requests, windowSeconds, ...others } = isObject(value) ? value : {};
    const isPositive = finite.fits(windowSeconds) && (windowSeconds as number) > 0;
    return isPositive && integerFrom(0).fits(requests) && Object.keys(others).length === 0;
  },
);

const protocols = listOf(oneOf("http:", "https:"), '"http:" or "https:"');

/** A name of a host in the form in which a URL has it, in any case. */
const host = fieldType(
  "a host",
  (value) => typeof value === "string" && parseUrl(`http://${value}`)?.hostname === value.toLowerCase(),
);

const hosts = listOf(host, 'names of hosts, as in ["staging.example.com"]');
const listOfOrigins = listOf(fieldType("an origin", isOrigin), 'origins, as in ["http://localhost:5173"]');
const origins = fieldType(`"*" or ${listOfOrigins.name}`, (value) => value === "*" || listOfOrigins.fits(value));

/** The default and the valid values of every assumption. */
const DEFINITIONS: { readonly [Name in keyof Assumptions]: Definition<Assumptions[Name]> } = {
  maxBodyBytes: [10 * 1024 * 1024, count],
  rateLimit: [null, orNull(rateLimit)],
  cors: [[], origins],
  nullFields: ["reject", nulls],
  unknownFields: ["ignore", oneOf("ignore", "reject")],
  unstorableText: ["accept", acceptOrReject],
  otherSchemes: ["reject", acceptOrReject],
  organizationField: { oidc: ["optional", presence], pat: ["optional", presence], oat: ["optional", presence] },
  requiredEventFields: [[], texts],
  uuidEventFields: [[], texts],
  eventName: { minLength: [0, count], maxLength: [null, limit] },
  futureEvents: ["accept", acceptOrReject],
  metadata: {
    values: ["any", oneOf("any", "scalars")],
    objectKeys: [[], texts],
    maxPairs: [null, limit],
    minKeyLength: [0, count],
    maxKeyLength: [null, limit],
    minValueLength: [0, count],
    maxValueLength: [null, limit],
  },
  unknownCustomers: ["accept", acceptOrReject],
  duplicateEvents: ["skip", oneOf("skip", "store")],
  maxBatchSize: [10_000, count],
  foreignEndpoint: ["not-found", oneOf("not-found", "forbidden")],
  endpointUrl: {
    protocols: [["https:", "http:"], protocols],
    credentials: ["reject", acceptOrReject],
    hosts: ["any", oneOf("any", "public")],
    maxLength: [null, limit],
    stored: ["sent", oneOf("sent", "normalized")],
  },
  minSecretLength: [0, count],
  deliverTo: [[], hosts],
  retry: {
    attempts: [10, integerFrom(1, 1_000)],
    timeout: [10_000, count],
    firstDelay: [2_000, delay],
    maxDelay: [20 * 60_000, delay],
    jitter: [0.5, from(0, 1)],
  },
  disableAfter: [10, limit],
};

/** Returns the defaults (0), or the valid values (1), of all assumptions. */
function column(index: 0 | 1, definitions: object): Readonly<Record<string, unknown>> {
  const cell = (definition: object) => (Array.isArray(definition) ? definition[index] : column(index, definition));
  return Object.fromEntries(Object.entries(definitions).map(([name, definition]) => [name, cell(definition)]));
}

/** The assumptions that the mock makes by default. */
export const defaultAssumptions: Assumptions = deepFreeze(column(0, DEFINITIONS) as unknown as Assumptions);

const VALID = column(1, DEFINITIONS) as Readonly<Record<string, FieldType | Shape>>;
const GROUPS = Object.entries(VALID).filter((entry): entry is [string, Shape] => !("fits" in entry[1]));
const SHAPE = { ...VALID, ...Object.fromEntries(GROUPS.map(([name]) => [name, object])) } as Shape;

/**
 * Returns the assumptions of a mock: the defaults, with the given ones in their place.
 *
 * @throws TypeError when an assumption is unknown or has an invalid value. Its message names all of them.
 */
export function readAssumptions(given: AssumptionChoices = {}, caller = "createMock"): Assumptions {
  const chosen: Record<string, unknown> = isObject(given) ? omitUndefined(given) : {};
  const groups = GROUPS.filter(([name]) => isObject(chosen[name]));
  const problems = [
    ...shapeProblems("assumptions", given, SHAPE),
    ...groups.flatMap(([name, shape]) => shapeProblems(`assumptions.${name}`, chosen[name], shape)),
  ];
  if (problems.length > 0) throw new TypeError(`${caller}: ${problems.join(" ")}`);
  for (const [name] of groups) {
    const byDefault = defaultAssumptions[name as keyof Assumptions] as object;
    chosen[name] = { ...byDefault, ...omitUndefined(chosen[name] as object) };
  }
  return Object.freeze({ ...defaultAssumptions, ...deepFreeze(structuredClone(chosen)) });
}

/**
 * Choices for a mock that rejects what services of this kind were seen to reject and the specification does not: what
 * passes against a strict mock does not depend on the default choices. Plain data; override any of it.
 *
 * @example
 * ```ts
 * const mock = createMock({ assumptions: { ...strict, unknownCustomers: "accept" } });
 * ```
 */
export const strict: AssumptionChoices = deepFreeze({
  /** G-EVT-CUST */
  unknownCustomers: "reject",
  /** G-EVT-TIME */
  futureEvents: "reject",
  /** G-EVT-ORG */
  organizationField: { pat: "required", oat: "forbidden" },
  /** G-MEMBER */
  uuidEventFields: ["member_id"],
  /** G-EVT-REQ */
  eventName: { minLength: 1, maxLength: 128 },
  /** G-EVT-META */
  metadata: {
    values: "scalars",
    objectKeys: ["_cost", "_llm"],
    maxPairs: 50,
    minKeyLength: 1,
    maxKeyLength: 40,
    minValueLength: 1,
    maxValueLength: 500,
  },
  /** G-FIELDS */
  unknownFields: "reject",
  /** G-WHE-URL */
  endpointUrl: { protocols: ["https:"], hosts: "public", maxLength: 2_083 },
  /** G-WHE-SECRET */
  minSecretLength: 32,
  /** G-PROTO */
  unstorableText: "reject",
  /** G-RATE */
  rateLimit: { requests: 500, windowSeconds: 60 },
});
