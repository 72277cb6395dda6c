import type { Engine } from "../../engine/engine.ts";
import type { ChangeWatch } from "../change-watch.ts";
import type { DeliveryReceivers } from "../delivery-receivers.ts";
import type { ListPage } from "../list-page.ts";
import type { QueryOf, RequestOf, ResultOf } from "../routes/route.ts";
import type { SnapshotStore } from "../snapshot-store.ts";

/** The mock and the stores that every handler can use. */
export interface ControlContext {
  readonly mock: Engine;
  readonly snapshots: SnapshotStore;
  readonly changes: ChangeWatch;
  readonly receivers: DeliveryReceivers;
  /** Aborted when the caller disconnects or the server stops. */
  readonly signal: AbortSignal;
}

/** A query as it arrives: every parameter is a string. */
type ReceivedQuery<Query> = Readonly<Partial<Record<keyof Query & string, string>>>;

/**
 * A request as it arrives. The id and the body are present when the operation takes them. Only the outer form of the body
 * has been checked: it is an object. The mock checks its fields.
 */
type Received<Request> = { readonly [Part in keyof Request & ("id" | "body")]-?: NonNullable<Request[Part]> } & {
  readonly query: ReceivedQuery<QueryOf<Request>>;
};

/** The result of a handler: a page where the operation's list comes in pages. */
type HandlerResult<Operation> = "limit" extends keyof QueryOf<RequestOf<Operation>>
  ? PageOf<ResultOf<Operation>>
  : ResultOf<Operation>;

type PageOf<List> = List extends readonly (infer Item)[] ? ListPage<Item> : never;

type HandlerOf<Operation> = (
  request: Received<RequestOf<Operation>>,
  context: ControlContext,
) => HandlerResult<Operation> | Promise<HandlerResult<Operation>>;

/** One handler for each operation of a group. */
export type HandlersOf<Operations> = { readonly [Action in keyof Operations]: HandlerOf<Operations[Action]> };
