import type * as z from "zod/mini";

/** A schema whose input and output have the same shape: nothing on the wire is transformed. */
export type Schema<Value = unknown> = z.ZodMiniType<Value, Value>;

/** An HTTP method (RFC 9110) that an operation can use. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A kind of credential: OpenID Connect, personal access token, organization access token. */
export type SecuritySchemeName = "oidc" | "pat" | "oat";

/** Which credentials an operation accepts. */
export interface Security {
  /** The accepted schemes. */
  readonly schemes: readonly SecuritySchemeName[];
  /** The scopes of which one is enough; empty when none is needed. */
  readonly scopes: readonly string[];
}

/** The types of an operation. Each operation names its own in an interface that extends this one. */
export interface OperationTypes {
  /** The parameters in the path. */
  readonly path?: unknown;
  /** The parameters in the query. */
  readonly query?: unknown;
  /** The JSON body of the request. */
  readonly body?: unknown;
  /** The JSON body of a successful response. */
  readonly data: unknown;
  /** The JSON bodies of the declared failures, by status. */
  readonly failures: object;
}

/** The types of an operation that gives a list page by page. */
export interface PagedTypes extends OperationTypes {
  readonly query: object;
  /** One item of the list. */
  readonly item: unknown;
}

/** How the pages of a list follow one another. */
export interface Paging {
  /** The query parameter that takes the number of a page; the first page is 1. */
  readonly page: string;
  /** Where a response has the items of its page: the names of the fields, from the outermost. */
  readonly items: readonly string[];
  /** Where a response has the number of the last page. */
  readonly lastPage: readonly string[];
}

/**
 * One operation of the service, as inert data. The client sends it, the mock obeys it, the OpenAPI document and the
 * reference pages print it; none of them describes it a second time.
 */
export interface Operation<Types extends OperationTypes = OperationTypes> {
  /** The service's identifier, for example `webhooks:get_webhook_endpoint`. */
  readonly id: string;
  readonly method: Method;
  /** The path below the base address, with `{name}` for each parameter (OpenAPI's form). */
  readonly path: `/v1/${string}`;
  /** One line on what the operation does. */
  readonly summary: string;
  /** The entry of the list of assumptions that the operation rests on, where the specification does not show it. */
  readonly gap?: string;
  readonly security: Security;
  readonly request: {
    readonly path?: Schema<Types["path"]>;
    readonly query?: Schema<Types["query"]>;
    readonly body?: Schema<Types["body"]>;
  };
  readonly response: {
    readonly status: number;
    readonly body: Schema<Types["data"]>;
  };
  readonly failures: { readonly [Status in keyof Types["failures"]]: Schema<Types["failures"][Status]> };
  /** How its pages follow one another, for an operation that gives a list page by page. */
  readonly pagination?: Paging;
  /**
   * True when sending the same request twice does no more than sending it once, so that it may be retried; otherwise why
   * it could do more, for the message of an error.
   */
  repeatable(body: Types["body"]): true | string;
}

/** An operation that gives a list page by page. */
export interface PagedOperation<Types extends PagedTypes = PagedTypes> extends Operation<Types> {
  readonly pagination: Paging;
}
