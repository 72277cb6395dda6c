import type { StandardSchema } from "../contract/index.ts";

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
  /** The API version of `data`. If the payload has none, that of the header, or else of the entry point. */
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
