import type { Engine } from "../engine/engine.ts";
import type { ChangeWatch } from "./changes.ts";
import type { Receivers } from "./receivers.ts";
import type { Snapshots } from "./snapshots.ts";

/** The methods of the control interface. */
export type ControlMethod = "GET" | "POST" | "PATCH" | "DELETE";

/** The context of one control call. */
export interface ControlCall {
  readonly mock: Engine;
  readonly snapshots: Snapshots;
  readonly changes: ChangeWatch;
  readonly receivers: Receivers;
  /** The parameters in the path. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The parameters in the query. */
  readonly query: Readonly<Record<string, string>>;
  /** The JSON object that was sent; an empty one when there was none. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Aborted when the caller goes away or the server stops. */
  readonly signal: AbortSignal;
}

/** One operation of the control interface: the server runs it, and `connectMock` calls it. */
export interface ControlRoute {
  /** Unique; what it acts on, a dot, what it does. */
  readonly name: string;
  readonly method: ControlMethod;
  /** Below `/__mock`; parameters in braces. */
  readonly path: string;
  /** One sentence for people. */
  readonly does: string;
  /** The parameters that the query may have. */
  readonly query?: readonly string[];
  /** The status of success: 200 by default, and always 204 where there is nothing to answer. */
  readonly status?: number;
  /** The result of `connectMock` for a 404. An error is thrown if it is not set. */
  readonly absent?: { readonly value: undefined | false };
  /** Carries it out. The outcome is sent as JSON; the value named in `absent` as 404. */
  readonly run: (call: ControlCall) => unknown;
}

/** Refuses to act on what is not there; answered with 404. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
}
