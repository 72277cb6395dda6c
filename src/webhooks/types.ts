import type { StandardSchema } from "../contract/index.ts";
import type { Mismatch } from "../errors/call-errors.ts";

/** The body of a delivery, exactly as it arrived: a string, bytes, or a stream of either. */
export type WebhookBody =
  | string
  | Uint8Array
  | ArrayBuffer
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>;

/** The headers of a delivery: `Headers`, or an object with names in any case, as in Node.js. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The parts of a delivery, for frameworks without a web `Request`. A `Request` has the same parts. */
export interface WebhookDelivery {
  /** The raw body. A parsed body cannot be verified, because the signature covers the exact bytes. */
  readonly body: WebhookBody | null;
  readonly headers: WebhookHeaders;
}

/** A verified event of a type that the version knows. */
export interface KnownWebhookEvent<Type extends string, Data = unknown> {
  /** The event's id, `webhook-id`. It is the same in every retry and redelivery. */
  readonly id: string;
  readonly type: Type;
  /** The time at which the event was created, as the service wrote it; the time of signing if the payload has none. */
  readonly timestamp: string;
  /** The API version of `data`: from the payload, otherwise from the header, otherwise the version of the entry point. */
  readonly api_version: string;
  /** The event's data: the output of your schema for this type; without a schema, unchecked. */
  readonly data: Data;
  /**
   * The body as it was signed, for example to read integers beyond 2^53, which `data` rounds. It is not enumerable, so copies,
   * logs and JSON of the event do not contain it.
   */
  readonly rawBody: string;
}

/** A verified event of any type, whose data was not checked. */
export interface AnyWebhookEvent extends KnownWebhookEvent<string> {}

/**
 * An event type that the version does not know; to compare it with a string, use `String(event.type)`. It is an enum of types
 * alone, because TypeScript would not tell a plain string and a known type apart.
 */
export declare enum UnknownWebhookEventType {
  /** Stands for every other string. */
  Other = "",
}

/**
 * A verified event of a type that the version does not know, for example one that a later version adds. If the payload has no
 * type, `type` is empty; if it has no `data`, `data` is the whole payload, as a string if it is not JSON.
 */
export interface UnknownWebhookEvent extends KnownWebhookEvent<UnknownWebhookEventType> {}

/** Schemas for the data of events, by type. */
export type SchemasOf<Type extends string> = { readonly [Name in Type]?: StandardSchema };

/** The data of an event type: the output of its schema, otherwise unknown. */
export type DataOf<Schemas, Type extends string> = Type extends keyof Schemas
  ? Schemas[Type] extends StandardSchema<infer Output>
    ? Output
    : unknown
  : unknown;

/** A verified event of a version, as a union over its types. */
export type EventOf<Type extends string, Schemas> =
  | { [Name in Type]: KnownWebhookEvent<Name, DataOf<Schemas, Name>> }[Type]
  | UnknownWebhookEvent;

/** A secret, or several of which one must match. Undefined elements, for example unset variables, are ignored. */
export type WebhookSecret = string | undefined | readonly (string | undefined)[];

/** Options for `verifyWebhook`. Only `secret` is required. */
export interface VerifyOptions<Type extends string, Schemas extends SchemasOf<Type>> {
  /**
   * The endpoint's secret. Pass several for several endpoints, or while you replace a secret. The signature scheme is detected
   * automatically. A secret must have at least 16 bytes after `whsec_`.
   */
  readonly secret: WebhookSecret;
  /** Schemas that check and type `data`, by event type, from any library that implements Standard Schema. */
  readonly schemas?: Schemas | undefined;
  /** Maximum difference between the time of signing and this machine's clock, in seconds. Defaults to 300. */
  readonly tolerance?: number | undefined;
  /** Maximum length of the body, in bytes. Defaults to 1 MiB (1,048,576). */
  readonly maxBodyBytes?: number | undefined;
  /** Other API versions to accept, for example while you upgrade endpoints. */
  readonly versions?: readonly string[] | undefined;
  /** Returns the current time. Defaults to the system clock. */
  readonly now?: (() => Date | number) | undefined;
}

/**
 * Stores which events were handled, for the option `seen`. Keys and values are strings. A value expires after its time to live
 * (`ttl`), in milliseconds.
 */
export interface SeenStore {
  /** Returns the value of a key; undefined or null if it has none. */
  get(key: string): unknown;
  /** Stores a value, which replaces another one. */
  set(key: string, value: string, ttl: number): unknown;
  /** Atomically stores a value unless the key already has one, and returns whether it did, like `SET` with `NX` in Redis. */
  add(key: string, value: string, ttl: number): boolean | Promise<boolean>;
  delete(key: string): unknown;
}

/** Functions for events, by type. Each event runs the function for its type, or `*` if there is none. */
export type FunctionsOf<Type extends string, Schemas, AnyEvent> = {
  readonly [Name in Type]?: ((event: KnownWebhookEvent<Name, DataOf<Schemas, Name>>) => unknown) | undefined;
} & {
  /** Runs for events whose type has no function in `on`, including unknown types. */
  readonly "*"?: ((event: AnyEvent) => unknown) | undefined;
};

/** Describes a delivery that failed, for `onError`. */
export interface WebhookErrorContext {
  /** The HTTP status of the response. */
  readonly status: number;
  /** The whole event, for example to store it; undefined if the delivery was not verified. */
  readonly event: AnyWebhookEvent | undefined;
}

/** `keep` responds with 204; `refuse` responds with 500, so that the service delivers the event again. */
export type InvalidDataDecision = "keep" | "refuse";

/** Options for `createWebhookHandler`, in addition to the options for `verifyWebhook`. `secret` and `on` are required. */
export interface HandlerOptions<Type extends string, Schemas extends SchemasOf<Type>, AnyEvent = EventOf<Type, Schemas>>
  extends VerifyOptions<Type, Schemas> {
  /** Functions for events, by type. The handler responds with a 2xx only after the function has finished. */
  readonly on: FunctionsOf<Type, Schemas, AnyEvent>;
  /**
   * Store of handled events, so that a duplicate does not run a function again, for example in Redis. An event is remembered for
   * 3 days. If its process crashes, it can run again after 30 seconds. A call to the store fails after 5 seconds. Handlers for
   * different endpoints need separate stores or key prefixes, because the service may send the same id to both. Defaults to an
   * in-memory store of the 20,000 most recent events.
   */
  readonly seen?: SeenStore | undefined;
  /**
   * Time limit for reading the body, and for an event's schema and function, in milliseconds. After it, the handler responds with
   * an error. The next delivery runs the function again, even if the first call is still running. Defaults to 120,000.
   */
  readonly timeout?: number | undefined;
  /**
   * Called for a signed event whose data its schema rejects, instead of the function of its type. Decides whether the service may
   * consider the event delivered; if it throws, the event is refused. A service may disable an endpoint that refuses many events.
   * Defaults to `keep`, and a warning on the console.
   */
  readonly onInvalidData?:
    | ((event: AnyWebhookEvent, problems: readonly Mismatch[]) => InvalidDataDecision | Promise<InvalidDataDecision>)
    | undefined;
  /**
   * Called after a function has handled an event. The response does not wait for it. `duration` is the time from the request to
   * the response, in milliseconds.
   */
  readonly onHandled?: ((event: AnyWebhookEvent, context: { readonly duration: number }) => unknown) | undefined;
  /** Called like `onHandled`, for a delivery of an event that was handled before. */
  readonly onDuplicate?: ((event: AnyWebhookEvent, context: { readonly duration: number }) => unknown) | undefined;
  /**
   * Called for each delivery that failed. The response does not wait for it. By default, errors of signed deliveries, errors
   * with status 500, and the reasons `body-missing`, `body-parsed` and `body-consumed` are logged to the console.
   */
  readonly onError?: ((error: unknown, context: WebhookErrorContext) => unknown) | undefined;
}

/** A request that is not a web `Request`. */
export interface WebhookRequest {
  readonly headers: object;
  readonly body: unknown;
}

/** Handles a delivery and returns the response. It never rejects. */
export interface DeliveryHandler {
  (request: WebhookRequest): Promise<Response>;
  // Next.js checks only the last signature of a route.
  (request: Request): Promise<Response>;
}
