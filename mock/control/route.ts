import type { Engine } from "../api/engine.ts";

/** The mock that every route can use. */
export interface ControlContext {
  readonly engine: Engine;
  readonly mock: Engine["mock"];
  /** Aborts when the caller disconnects or the server stops. */
  readonly signal: AbortSignal;
}

/** A request as it arrives. The mock checks the fields of the body. */
export interface ControlRequest {
  /** The `{id}` in the path; empty where the path has none. */
  readonly id: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: object;
}

/**
 * An operation of the control API. `handle` takes the parts of the request that it needs: their types are those that callers
 * send. False is sent as 404, and so is undefined if the route is `optional`; undefined and true are otherwise sent as 204.
 */
export interface ControlRoute<Sent extends Partial<ControlRequest> = never, Result = unknown> {
  /** One sentence for the list of routes. */
  readonly summary: string;
  /** The query parameters, with a description of each. Without it, there are none. */
  readonly query?: Readonly<Record<string, string>>;
  /** A description of the JSON object in the body. */
  readonly body?: string;
  /** A body to start from, for the list of routes and the forms of the inspector. */
  readonly example?: object;
  /** The status of a response with a body; 200 by default. */
  readonly status?: 201;
  /** Whether the result is a record that may not exist. */
  readonly optional?: true;
  handle(request: Sent, context: ControlContext): Result | Promise<Result>;
}

/** The method and the path below `/__mock` of a route; `{id}` matches one segment. */
export type RouteKey = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

/** The id in the path, for routes that take nothing else. */
export type WithId = Pick<ControlRequest, "id">;

/** A body of a type. */
export interface WithBody<Body extends object> {
  readonly body: Body;
}

/** A query with these parameters. */
export interface WithQuery<Name extends string> {
  readonly query: Readonly<Partial<Record<Name, string | undefined>>>;
}
