import { ENVIRONMENTS } from "../src/client/environments.ts";
import type { Contract, SecuritySchemeName } from "../src/contract/index.ts";
import { SIGNATURE_LABEL, type SignedParts, signedText, WEBHOOK_HEADERS } from "../src/webhooks/index.ts";
import { deepFreeze } from "./input/frozen.ts";
import type { StoredEvent } from "./state/records.ts";
import { discordPayload } from "./webhooks/discord.ts";
import { envelope, type PayloadForm } from "./webhooks/payload.ts";
import { slackPayload } from "./webhooks/slack.ts";

/** The steps of answering a request, by name. */
export type Step = "version" | "size" | "rate" | "token" | "route" | "credential" | "scope" | "parameters" | "body";

/** A JSON body. */
export type JsonBody = Readonly<Record<string, unknown>>;

/**
 * What the specification leaves open and the mock chooses. Each field is one entry of the list in `docs/rules.md`; its
 * id stands in front. Change a choice with `createMock({ assumptions: { … } })`: what you leave out keeps its default.
 */
export interface Assumptions {
  /** G-BASE: the addresses that the mock answers for, besides any `baseUrl` given to it. RFC 2606's reserved names. */
  readonly baseUrls: readonly string[];
  /** G-ING-STATUS: the status of a successful ingest; undefined for the contract's own, 200. */
  readonly ingestStatus: number | undefined;
  /** G-EVT-REQ: how many characters the name of an event has. */
  readonly eventName: { readonly minLength: number; readonly maxLength: number };
  /** G-EVT-EXT: whether events of customers known by an external id are taken. */
  readonly externalCustomers: "accept" | "reject";
  /** G-EVT-BOTH: an event with both customer ids; when accepted, `customer_id` counts. */
  readonly bothCustomerIds: "reject" | "accept";
  /** G-EVT-TIME: an event whose time lies in the future. */
  readonly futureEvents: "accept" | "reject";
  /** G-EVT-META: how large the metadata of an event may be. */
  readonly metadata: {
    readonly maxPairs: number;
    readonly minKeyLength: number;
    readonly maxKeyLength: number;
    readonly minValueLength: number;
    readonly maxValueLength: number;
  };
  /** G-EVT-CUST: an event of a `customer_id` that the mock does not know. */
  readonly unknownCustomers: "accept" | "reject";
  /** G-EVT-DUP: two events of an organization with the same key are duplicates; undefined for one that never is. */
  readonly duplicateKey: (event: StoredEvent) => string | undefined;
  /** G-EVT-ORG: an event without `organization_id`, sent with a token that reaches several organizations. */
  readonly ambiguousOrganization: "reject" | "first";
  /** G-EVT-MAX: how many events a batch may hold. */
  readonly maxBatchSize: number;
  /** G-BODY-MAX: how many bytes a body may have. */
  readonly maxBodyBytes: number;
  /** G-LENGTH: a POST, PUT or PATCH over a socket without a `Content-Length` header; `reject` answers 411. */
  readonly bodyWithoutLength: "accept" | "reject";
  /** G-DEPTH: how many levels deep a body may be nested. */
  readonly maxBodyDepth: number;
  /** G-RATE: how many requests a credential may make in a window of so many seconds; undefined for no limit. */
  readonly rateLimit: { readonly requests: number; readonly windowSeconds: number } | undefined;
  /** G-AUT-ORG: which variant of the authorization lookup a kind of credential gets. */
  readonly authorizeVariant: Readonly<Record<SecuritySchemeName, "user" | "organization">>;
  /** G-AUT-QUERY: an unknown client, and an unknown scope, in the authorization lookup. */
  readonly authorizeQuery: { readonly unknownClient: "reject" | "default"; readonly unknownScope: "reject" | "ignore" };
  /** G-AUT-NULL: whether what a test leaves out of clients, users and organizations is null or filled in. */
  readonly authorizeNulls: "null" | "filled";
  /** G-401: the answer to a request without a credential, and the realm of every challenge. */
  readonly unauthorized: { readonly body: JsonBody; readonly realm: string };
  /** G-401-BAD: the status of an answer to a credential that is not accepted. */
  readonly invalidTokenStatus: number;
  /** G-403: the status of an answer to a credential without the scope. */
  readonly insufficientScopeStatus: number;
  /** G-404-VER: the body of the answer to an unsupported version. */
  readonly unsupportedVersion: { readonly body: JsonBody };
  /** G-404: the bodies of the answers to an unknown path and to another method. */
  readonly unknownRoute: { readonly notFound: JsonBody; readonly methodNotAllowed: JsonBody };
  /** G-ORDER: the order in which a request is checked; the first check that fails answers. */
  readonly order: readonly Step[];
  /** G-FOREIGN: reading or changing another organization's endpoint. */
  readonly foreignEndpoint: "not-found" | "forbidden";
  /** G-FIELDS: fields in a body that the contract does not know. */
  readonly unknownFields: "ignore" | "reject";
  /** G-422: other names for the types of validation errors, for example `{ missing: "required" }`. */
  readonly validationTypes: Readonly<Record<string, string>>;
  /** G-CONTENT-TYPE: a body that does not call itself JSON. */
  readonly otherContentTypes: "reject" | "accept";
  /** G-PROTO: a field named `__proto__`, which a JavaScript client cannot write by accident. */
  readonly protoFields: "reject" | "accept";
  /** G-WHE-PATHS: whether endpoints can be created and updated. */
  readonly endpointWrites: "served" | "absent";
  /** G-WHE-URL: which addresses an endpoint may have. */
  readonly endpointUrl: { readonly protocols: readonly string[]; readonly credentials: "reject" | "accept" };
  /** G-WHE-VER: the status of an answer to an unsupported `api_version`. */
  readonly unsupportedApiVersionStatus: number;
  /** G-WHE-SECRET: the fixed prefix of a secret. */
  readonly secretPrefix: string;
  /** G-PRODUCTS: whether products can be listed, and how many a page holds. */
  readonly products: { readonly list: "served" | "absent"; readonly defaultLimit: number; readonly maxLimit: number };
  /** G-OIDC: fields of the discovery document besides issuer, authorization endpoint and scopes. */
  readonly discovery: JsonBody;
  /** G-WHE-URL: the hosts, by name, that deliveries may go to besides this machine; none by default. */
  readonly deliverTo: readonly string[];
  /** G-SIGN: the headers that sign a delivery, the label in front of the signature, and the text that is signed. */
  readonly signature: {
    readonly idHeader: string;
    readonly timestampHeader: string;
    readonly signatureHeader: string;
    readonly label: string;
    readonly text: (parts: SignedParts) => string;
  };
  /** G-ENVELOPE: the payload of an endpoint with the format `raw`. */
  readonly envelope: PayloadForm;
  /** G-DISCORD: the payload of an endpoint with the format `discord`. */
  readonly discordPayload: PayloadForm;
  /** G-SLACK: the payload of an endpoint with the format `slack`. */
  readonly slackPayload: PayloadForm;
  /**
   * G-RETRY: how often a delivery is attempted, how long an attempt may take, and how long to wait after a failure. The
   * wait doubles each time; `jitter`, from 0 to 1, is the part of it that chance may take away.
   */
  readonly retry: {
    readonly attempts: number;
    readonly timeoutMs: number;
    readonly firstDelayMs: number;
    readonly maxDelayMs: number;
    readonly jitter: number;
  };
  /** G-DISABLE: after how many events in a row whose attempts all failed an endpoint is disabled; Infinity for never. */
  readonly disableAfter: number;
  /** G-REMOVED: an endpoint whose version was removed by a release. */
  readonly removedVersions: "keep-delivering" | "stop";
  /** G-NEXTNEXT: the contract of the Next that a release creates; the release gives it its name. */
  readonly nextContract: (released: Contract) => Contract;
  /** G-EMPTY: a batch without events, and an update of an endpoint without fields. */
  readonly emptyBodies: "accept" | "reject";
}

/**
 * Choices that differ from the defaults: what is left out keeps its default, also inside of the assumptions with several
 * fields, each of which can be chosen alone.
 */
export type AssumptionChoices = {
  readonly [Name in keyof Assumptions]?:
    | (Name extends
        | "eventName"
        | "metadata"
        | "authorizeVariant"
        | "authorizeQuery"
        | "unauthorized"
        | "unknownRoute"
        | "endpointUrl"
        | "products"
        | "signature"
        | "retry"
        ? Partial<Assumptions[Name]>
        : Assumptions[Name])
    | undefined;
};

/** The choices that the mock makes when nothing else is said. */
export const defaultAssumptions: Assumptions = deepFreeze({
  baseUrls: Object.values(ENVIRONMENTS),
  ingestStatus: undefined,
  eventName: { minLength: 1, maxLength: 128 },
  externalCustomers: "accept",
  bothCustomerIds: "reject",
  futureEvents: "accept",
  metadata: { maxPairs: 50, minKeyLength: 1, maxKeyLength: 40, minValueLength: 1, maxValueLength: 500 },
  unknownCustomers: "accept",
  duplicateKey: (event) => event.external_id,
  ambiguousOrganization: "reject",
  maxBatchSize: Number.POSITIVE_INFINITY,
  maxBodyBytes: 10 * 1024 * 1024,
  bodyWithoutLength: "accept",
  maxBodyDepth: 200,
  rateLimit: undefined,
  authorizeVariant: { oidc: "user", pat: "user", oat: "organization" },
  authorizeQuery: { unknownClient: "reject", unknownScope: "reject" },
  authorizeNulls: "null",
  unauthorized: { body: { error: "Unauthorized", detail: "Unauthorized" }, realm: "billing-service" },
  invalidTokenStatus: 401,
  insufficientScopeStatus: 403,
  unsupportedVersion: { body: { detail: "Not Found" } },
  unknownRoute: { notFound: { detail: "Not Found" }, methodNotAllowed: { detail: "Method Not Allowed" } },
  order: ["version", "size", "rate", "token", "route", "credential", "scope", "parameters", "body"],
  foreignEndpoint: "not-found",
  unknownFields: "ignore",
  validationTypes: {},
  otherContentTypes: "reject",
  protoFields: "reject",
  endpointWrites: "served",
  endpointUrl: { protocols: ["https:", "http:"], credentials: "reject" },
  unsupportedApiVersionStatus: 422,
  secretPrefix: "whsec_",
  products: { list: "served", defaultLimit: 10, maxLimit: 100 },
  discovery: { response_types_supported: ["code"] },
  deliverTo: [],
  signature: {
    idHeader: WEBHOOK_HEADERS.id,
    timestampHeader: WEBHOOK_HEADERS.timestamp,
    signatureHeader: WEBHOOK_HEADERS.signature,
    label: SIGNATURE_LABEL,
    text: signedText,
  },
  envelope,
  discordPayload,
  slackPayload,
  retry: { attempts: 10, timeoutMs: 10_000, firstDelayMs: 2_000, maxDelayMs: 20 * 60_000, jitter: 0.5 },
  disableAfter: 10,
  removedVersions: "keep-delivering",
  nextContract: (released) => released,
  emptyBodies: "accept",
});
