import type { DataOf, EventOf, KnownWebhookEvent, SchemasOf } from "./webhook-event.ts";

/** One secret or several, of which one must match. Undefined ones are ignored, for example an unset variable. */
export type WebhookSecret = string | undefined | readonly (string | undefined)[];

/** Options for `verifyWebhook`. Only `secret` is required. */
export interface VerifyOptions<Type extends string, Schemas extends SchemasOf<Type>> {
  /**
   * The endpoint's secret, or several: for several endpoints, or an old one next to its replacement. The scheme
   * is detected. It must have at least 16 bytes after `whsec_`.
   */
  readonly secret: WebhookSecret;
  /** Schemas for `data`, by event type, from any library that implements Standard Schema. They also type `data`. */
  readonly schemas?: Schemas | undefined;
  /** Maximum difference between the time of signing and this machine's clock, in seconds. Defaults to 300. */
  readonly tolerance?: number | undefined;
  /** Maximum length of the body, in bytes. Defaults to 1 MiB (1,048,576). */
  readonly maxBodyBytes?: number | undefined;
  /** Other API versions that are allowed, for example while endpoints are upgraded. */
  readonly versions?: readonly string[] | undefined;
  /** Returns the current time. Defaults to the system clock. */
  readonly now?: (() => Date | number) | undefined;
}

/**
 * Stores which events were handled, for `seen`. Every Keyv instance is one. Keys and values are strings; a value is gone
 * after its time to live (`ttl`), in milliseconds.
 */
export interface SeenStore {
  /** Returns the value of a key, or undefined. */
  get(key: string): unknown;
  /** Stores a value. `false` means that it failed. */
  set(key: string, value: string, ttl: number): unknown;
  delete(key: string): unknown;
  /**
   * Stores a value unless the key has one, in one atomic step, and returns whether it did; in Redis, `SET` with `NX`. Keyv
   * has no such method. Without it, each event waits for `settleMs`.
   */
  add?(key: string, value: string, ttl: number): boolean | Promise<boolean>;
}

/** Functions for events, by type. Each event runs the function for its type, or `*` if there is none. */
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

/** Options for `createWebhookHandler`, in addition to the options for `verifyWebhook`. `secret` and `on` are required. */
export interface HandlerOptions<Type extends string, Schemas extends SchemasOf<Type>>
  extends VerifyOptions<Type, Schemas> {
  /** Functions for events, by type. The response is a 2xx only after the function has finished. */
  readonly on: FunctionsOf<Type, Schemas>;
  /**
   * The store of the events that were handled, so that a redelivery does not run a function again: any Keyv instance. A call
   * that takes longer than 5 seconds fails. Defaults to the memory of this process, with the newest 20,000 events.
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
  /**
   * Time limit for the function of an event, and for its schema, in milliseconds. After it, the service gets a 500, and the next delivery runs
   * the function again, even if it is still running. Defaults to 120,000.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Called for each delivery that failed. The response does not wait for it. By default, errors with status 500 are written
   * to the console.
   */
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
