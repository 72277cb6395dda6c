/** One version of the service, described as data. */
export interface Contract {
  /** The name of the version, `YYYY-MM`. */
  readonly version: string;
  readonly operations: readonly Operation[];
  /** The names of all scopes. */
  readonly scopes: readonly string[];
  /** All webhook event types. */
  readonly webhookEventTypes: readonly string[];
  /** Schemas of the `data` of raw webhook payloads, by event type, for the types that the version describes. */
  readonly webhookData?: Readonly<Record<string, Schema>>;
}

/** The HTTP method of an operation (RFC 9110). */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A kind of credential: OpenID Connect, personal access token or organization access token. */
export type SecuritySchemeName = "oidc" | "pat" | "oat";

/** The credentials that an operation accepts. */
export interface Security {
  /** The accepted schemes. */
  readonly schemes: readonly SecuritySchemeName[];
  /** The accepted scopes, of which one is required; empty if none is required. */
  readonly scopes: readonly string[];
}

/** The types of an operation. */
export interface OperationTypes {
  /** The parameters in the path. */
  readonly path?: unknown;
  /** The parameters in the query. */
  readonly query?: unknown;
  /** The JSON body of the request. */
  readonly body?: unknown;
  /** The JSON body of a successful response; undefined if it has none. */
  readonly data: unknown;
  /** The JSON bodies of the declared error responses, by status. */
  readonly failures: object;
}

/** The types of an operation that returns a list page by page. */
export interface PagedTypes extends OperationTypes {
  readonly query: object;
  /** One item of the list. */
  readonly item: unknown;
}

/** Describes the pagination of a list. */
export interface Paging {
  /** The query parameter for the page number. The first page is 1. */
  readonly page: string;
  /** The path of the items in a response: field names, from the outermost. */
  readonly items: readonly string[];
  /** The path of the last page number in a response. */
  readonly lastPage: readonly string[];
}

/**
 * One operation of the service, described once as data. The client sends it, the mock serves it, and the OpenAPI document
 * and the reference pages print it.
 */
export interface Operation<Types extends OperationTypes = OperationTypes> {
  /** The service's identifier, for example `webhooks:get_webhook_endpoint`. */
  readonly id: string;
  readonly method: Method;
  /** The path below the base URL, with `{name}` for each parameter (OpenAPI's form). */
  readonly path: `/v1/${string}`;
  /** A one-line summary. */
  readonly summary: string;
  /** The id of the assumption behind the operation, if the specification does not show it. */
  readonly assumption?: string;
  readonly security: Security;
  readonly request: {
    readonly path?: Schema<Types["path"]>;
    readonly query?: Schema<Types["query"]>;
    readonly body?: Schema<Types["body"]>;
  };
  readonly response: {
    readonly status: number;
    /** Without it, a successful response has no body, as with the status 204. */
    readonly body?: Schema<Types["data"]>;
  };
  readonly failures: { readonly [Status in keyof Types["failures"]]: Schema<Types["failures"][Status]> };
  /** The pagination, if the operation returns a list page by page. */
  readonly pagination?: Paging;
  /**
   * Returns true if a request is idempotent (G-IDEMPOTENT), so that it may be retried; otherwise the reason why not, for the
   * message of an error.
   */
  idempotent(body: Types["body"]): true | string;
}

/** An operation that returns a list page by page. */
export interface PagedOperation<Types extends PagedTypes = PagedTypes> extends Operation<Types> {
  readonly pagination: Paging;
}

/**
 * A schema of a contract: a schema of zod 4, from `zod` or `zod/mini`, that validates synchronously. It must not transform a
 * value, except by leaving out fields that the contract does not define.
 */
export interface Schema<Value = unknown> extends StandardSchema<Value> {
  readonly _zod: object;
}

/**
 * A schema of any library that implements [Standard Schema](https://standardschema.dev), for example Zod, Valibot or
 * ArkType.
 */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    /** Checks a value, and returns the output or the issues. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** The result of a check: the output, or the issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One problem that a schema found. */
export interface StandardIssue {
  readonly message: string;
  /** The path in the value: keys, or objects with a key. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
