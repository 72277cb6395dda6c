/** The `error` of a 401 without the right password. Has its own code, because the service also responds with 401. */
export const PASSWORD_REQUIRED = "PasswordRequired";

/** The HTTP methods of the control API. */
export type ControlMethod = "GET" | "POST" | "PATCH" | "DELETE";

/** Describes how to request one operation of the control API over HTTP, as plain data. */
export interface ControlRoute {
  readonly method: ControlMethod;
  /** The path below `/__mock`; `{id}` stands for the id in the request. */
  readonly path: `/${string}`;
  /** One sentence for the list of routes and the OpenAPI document. */
  readonly summary: string;
  /** The query parameters, with a description of each. */
  readonly query?: Readonly<Record<string, string>>;
  /** A description of the JSON object in the request body. */
  readonly body?: string;
  /** The status of a successful response with a body; 200 by default. A response without a body has status 204. */
  readonly status?: 201;
  /** The result that is sent as 404, and that a caller gets for a 404. Without it, a 404 is an error. */
  readonly absent?: { readonly value: undefined | false };
}

/** The parts of a request to any operation of the control API. */
export interface ControlRequest {
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
}

/** The request that an operation takes; `object` when it takes none. */
export type RequestOf<Operation> = Operation extends (...args: infer Args) => unknown
  ? Args extends readonly []
    ? object
    : NonNullable<Args[0]>
  : never;

/** The result of an operation. */
export type ResultOf<Operation> = Operation extends (...args: never) => infer Result ? Result : never;

/** The query parameters of a request. */
export type QueryOf<Request> = "query" extends keyof Request ? NonNullable<Request["query" & keyof Request]> : object;

type PathPart<Request> = "id" extends keyof Request
  ? { readonly path: `/${string}{id}${string}` }
  : { readonly path: `/${string}` };

type QueryPart<Request> = "query" extends keyof Request
  ? { readonly query: Readonly<Record<keyof QueryOf<Request> & string, string>> }
  : { readonly query?: never };

type BodyPart<Request> = "body" extends keyof Request ? { readonly body: string } : { readonly body?: never };

type NoResult = ReturnType<() => void>;

type AbsentPart<Result> = [Result] extends [NoResult]
  ? { readonly absent?: never }
  : undefined extends Result
    ? { readonly absent: { readonly value: undefined } }
    : false extends Result
      ? { readonly absent: { readonly value: false } }
      : { readonly absent?: never };

type RouteOf<Operation> = Pick<ControlRoute, "method" | "summary" | "status"> &
  PathPart<RequestOf<Operation>> &
  QueryPart<RequestOf<Operation>> &
  BodyPart<RequestOf<Operation>> &
  AbsentPart<ResultOf<Operation>>;

/** One route for each operation of a group. Each describes exactly the parameters that its operation takes. */
export type RoutesOf<Operations> = { readonly [Action in keyof Operations]: RouteOf<Operations[Action]> };
