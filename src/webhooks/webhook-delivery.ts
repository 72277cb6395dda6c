/** The body of a delivery, exactly as it arrived: a string, bytes or a stream of them. */
export type WebhookBody =
  | string
  | Uint8Array
  | ArrayBuffer
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>;

/** The headers of a delivery: `Headers`, or an object with names in any case. Node.js repeats a header as an array. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The parts of a delivery, for frameworks without a web `Request`. A `Request` has the same parts. */
export interface WebhookDelivery {
  /** The raw body. A parsed body cannot be verified, since the signature covers its exact bytes. */
  readonly body: WebhookBody | null;
  readonly headers: WebhookHeaders;
}
