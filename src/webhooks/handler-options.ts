import type { SeenStore } from "./seen-store.ts";
import type { VerifyOptions } from "./verify-options.ts";
import type { DataOf, EventOf, KnownWebhookEvent, SchemasOf } from "./webhook-event.ts";

/** Functions for events, by type. An event runs one function: that of its type, otherwise that of `*`. */
export type FunctionsOf<Type extends string, Schemas> = {
  readonly [Name in Type]?: ((event: KnownWebhookEvent<Name, DataOf<Schemas, Name>>) => unknown) | undefined;
} & {
  /** Runs for events whose type has no function in `on`, including unknown types. */
  readonly "*"?: ((event: EventOf<Type, Schemas>) => unknown) | undefined;
};

/** Describes a delivery that failed, for `onError`. */
export interface WebhookErrorContext {
  /** The HTTP status of the response. */
  readonly status: number;
  /** The id and the type of the event; undefined if the delivery was not verified. */
  readonly event: { readonly id: string; readonly type: string } | undefined;
}

/** Options for `createWebhookHandler`, in addition to those of `verifyWebhook`. `secret` and `on` are required. */
export interface HandlerOptions<Type extends string, Schemas extends SchemasOf<Type>>
  extends VerifyOptions<Type, Schemas> {
  /** Functions for events, by type. The service gets a 2xx only after the function has finished. */
  readonly on: FunctionsOf<Type, Schemas>;
  /**
   * The store of the events that were handled, so that a redelivery does not run a function again: any Keyv instance.
   * Defaults to the memory of this process, with the newest 20,000 events.
   */
  readonly seen?: SeenStore | undefined;
  /** Time for which a handled event is remembered, in milliseconds. Defaults to 3 days. */
  readonly rememberMs?: number | undefined;
  /**
   * Time after which an event whose process crashed can run again, in milliseconds. It is extended while a function runs.
   * Defaults to 30,000.
   */
  readonly leaseMs?: number | undefined;
  /**
   * Time for which each event waits to make sure that no other process runs it, in milliseconds, if `seen` has no `add`. It
   * must be at least twice as long as the store takes to read and write. Defaults to 250.
   */
  readonly settleMs?: number | undefined;
  /** Called for each delivery that failed. By default, errors with status 500 are written to the console. */
  readonly onError?: ((error: unknown, context: WebhookErrorContext) => unknown) | undefined;
}

/** A request without the web's `Request`. */
export interface WebhookRequest {
  readonly method: string | undefined;
  readonly headers: object;
  readonly body: unknown;
}

/** Handles a delivery, and returns the response. It never rejects. */
export type DeliveryHandler = (request: Request | WebhookRequest) => Promise<Response>;
