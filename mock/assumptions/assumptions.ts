import type { Contract, SecuritySchemeName } from "../../src/contract/index.ts";
import type { SignedParts } from "../../src/webhooks/index.ts";
import type { StoredEvent } from "../state/records.ts";
import type { PayloadForm } from "../webhooks/payload.ts";

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
  /** G-EVT-REQ: fields that every event needs besides those that the contract requires. */
  readonly requiredEventFields: readonly string[];
  /** G-MEMBER: fields of an event that must be UUIDs, for example `member_id`. */
  readonly uuidEventFields: readonly string[];
  /** G-EVT-REQ: how many characters the name of an event has; it narrows what the contract allows, 1 to 128. */
  readonly eventName: { readonly minLength: number; readonly maxLength: number };
  /** G-EVT-EXT: whether events of customers known by an external id are taken. */
  readonly externalCustomers: "accept" | "reject";
  /** G-EVT-BOTH: an event with both customer ids; when accepted, `customer_id` counts. */
  readonly bothCustomerIds: "reject" | "accept";
  /** G-EVT-TIME: an event whose time lies in the future. */
  readonly futureEvents: "accept" | "reject";
  /**
   * G-EVT-META: what the metadata of an event may hold. `values` allows any JSON, or only strings, numbers and booleans
   * ("scalars") and, under the keys in `objectKeys`, objects. Lengths are characters.
   */
  readonly metadata: {
    readonly values: "any" | "scalars";
    readonly objectKeys: readonly string[];
    readonly maxPairs: number;
    readonly minKeyLength: number;
    readonly maxKeyLength: number;
    readonly minValueLength: number;
    readonly maxValueLength: number;
  };
  /** G-EVT-CUST: an event of a `customer_id` that the mock does not know, or that belongs to another organization. */
  readonly unknownCustomers: "accept" | "reject";
  /** G-EVT-DUP: two events of an organization with the same key are duplicates; undefined for one that never is. */
  readonly duplicateKey: (event: StoredEvent) => string | undefined;
  /** G-EVT-ORG: an event without `organization_id`, sent with a token that reaches several organizations. */
  readonly ambiguousOrganization: "reject" | "first";
  /** G-EVT-ORG: `organization_id` in a request, by the kind of credential. */
  readonly organizationField: Readonly<Record<SecuritySchemeName, "optional" | "required" | "forbidden">>;
  /** G-EVT-MAX: how many events a batch may hold. */
  readonly maxBatchSize: number;
  /** G-BODY-MAX: how many bytes a body may have. */
  readonly maxBodyBytes: number;
  /** G-LENGTH: a POST, PUT or PATCH over a socket without a `Content-Length` header; `reject` answers 411. */
  readonly bodyWithoutLength: "accept" | "reject";
  /** G-CORS: the origins whose pages may use the service, or `"*"` for all; none by default. */
  readonly cors: "*" | readonly string[];
  /** G-DEPTH: how many levels deep a body may be nested. */
  readonly maxBodyDepth: number;
  /** G-VALUES: how many names and values a body may hold. */
  readonly maxBodyValues: number;
  /** G-413: the body of the answer to a body that is too large; `{description}` stands for what is wrong. */
  readonly tooLargeBody: JsonBody;
  /** G-422-MAX: how many problems a 422 lists; the last one says how many more there are. */
  readonly maxProblems: number;
  /** G-NULL: null in an optional field of a request that may not be null; `accept` takes it as if it were left out. */
  readonly nullFields: "reject" | "accept";
  /** G-RATE: how many requests a credential may make in a window of so many seconds; undefined for no limit. */
  readonly rateLimit: { readonly requests: number; readonly windowSeconds: number } | undefined;
  /** G-AUT-ORG: which variant of the authorization lookup a kind of credential gets. */
  readonly authorizeVariant: Readonly<Record<SecuritySchemeName, "user" | "organization">>;
  /** G-AUT-ORG: whether `sub_type` in the query chooses the variant, or the kind of credential alone. */
  readonly authorizeSubType: "follow-credential" | "follow-query";
  /** G-AUT-QUERY: an unknown client, and an unknown scope, in the authorization lookup. */
  readonly authorizeQuery: { readonly unknownClient: "reject" | "default"; readonly unknownScope: "reject" | "ignore" };
  /** G-AUT-NULL: whether what a test leaves out of clients, users and organizations is null or filled in. */
  readonly authorizeNulls: "null" | "filled";
  /** G-401: the answer to a request without a credential, and the realm of every challenge. */
  readonly unauthorized: { readonly body: JsonBody; readonly realm: string };
  /** G-401-BAD: the status of an answer to a credential that is not accepted; undefined for the contract's own, 401. */
  readonly invalidTokenStatus: number | undefined;
  /** G-401-BAD: its body; `{description}` stands for what is wrong. */
  readonly invalidTokenBody: JsonBody;
  /** G-403: the status of an answer to a credential without the scope; undefined for the contract's own, 403. */
  readonly insufficientScopeStatus: number | undefined;
  /** G-403: its body; `{description}` stands for what is wrong. */
  readonly insufficientScopeBody: JsonBody;
  /** G-404: the `detail` of the answer to an id that nothing has. */
  readonly resourceNotFoundDetail: string;
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
  readonly endpointUrl: {
    readonly protocols: readonly string[];
    readonly credentials: "reject" | "accept";
    /** `public` rejects this machine and private networks. Names are not looked up. */
    readonly hosts: "any" | "public";
  };
  /** G-WHE-VER: the status of an answer to an unsupported `api_version`; undefined for the contract's own, 422. */
  readonly unsupportedApiVersionStatus: number | undefined;
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
        | "organizationField"
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
